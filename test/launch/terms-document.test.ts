import { describe, expect, it } from 'vitest';
import { termsKeyIn, termsMemo } from '../../chain/launch/terms-memo.ts';
import { createFileStore } from '../../chain/storage/file-store.ts';
import { parseTermsDocument, termsDocument, wholeTerms } from '../../domain/launch/terms-document.ts';
import { launchTerms } from '../support/launch/launch-rows.ts';

const terms = launchTerms({ feeRecipient: launchTerms().creator, storedLogoHash: 'cd'.repeat(32) });

describe('the stored terms of a launch', () => {
  it('are all terms but what the payment shows on the chain', () => {
    const { message, blockhash, ...payment } = terms.payment;
    const document = termsDocument(terms);
    expect(parseTermsDocument(document)).toEqual({ ...terms, payment });
    expect(Buffer.from(document).toString()).not.toContain(blockhash);
    expect(Buffer.from(document).toString()).not.toContain(message);
  });

  it('name where the recipients of an airdrop lie', () => {
    const document = termsDocument(terms, 'https://store.example/recipients.json');
    const parsed = parseTermsDocument(document);
    expect(parsed.recipientsUri).toBe('https://store.example/recipients.json');
    expect(wholeTerms(parsed, terms.payment)).toEqual(terms);
  });

  it('are the same bytes for equal terms, in whatever order, and after another payment message', () => {
    const turned = Object.fromEntries(Object.entries(terms).toReversed()) as unknown as typeof terms;
    const signed = { ...turned, payment: { ...terms.payment, message: 'Ag==' } };
    expect(termsDocument(signed)).toEqual(termsDocument(terms));
  });

  it('are refused with a field too many, or one too few', () => {
    const whole = JSON.parse(Buffer.from(termsDocument(terms)).toString()) as object;
    const bytes = (value: object) => Buffer.from(JSON.stringify(value));
    expect(parseTermsDocument(bytes(whole))).toEqual(whole);
    expect(() => parseTermsDocument(bytes({ ...whole, more: 1 }))).toThrow('the terms are malformed');
    expect(() => parseTermsDocument(bytes({ ...whole, name: undefined }))).toThrow('the terms are malformed');
  });

  it('lie under the key that the memo of the fourth transaction names', () => {
    const store = createFileStore({ directory: '/nowhere', siteUrl: 'https://slipway.site' });
    const document = termsDocument(terms);
    const memo = termsMemo(store.keyOf(document));
    expect(memo).toHaveLength(49);
    const key = termsKeyIn(['launch/x/4', memo]);
    expect(store.uriAt(key ?? '')).toBe(store.uriOf(document, 'application/json'));
    expect(termsKeyIn(['terms/short', `fees/${'k'.repeat(43)}`])).toBeNull();
  });
});
