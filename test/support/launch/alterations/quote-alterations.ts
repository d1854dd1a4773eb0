import { randomBytes } from 'node:crypto';
import { CompactEncrypt, compactDecrypt, CompactSign, UnsecuredJWT } from 'jose';
import { createQuoteSealer } from '../../../../api/launch/sealed-quote.ts';
import { parseKeyList } from '../../../../config/secrets.ts';
import { type LaunchTerms, parseLaunchTerms } from '../../../../domain/launch/terms.ts';
import type { Alteration, Original } from './alteration.ts';

/** The platform's quote keys, newest first. */
export function quoteKeysOf({ platform }: Pick<Original, 'platform'>): { id: string; secret: Uint8Array }[] {
  return parseKeyList('QUOTE_KEYS', platform.secrets.QUOTE_KEYS).map(({ id, key }) => ({ id, secret: key }));
}

function newestKey(original: Pick<Original, 'platform'>): { id: string; secret: Uint8Array } {
  const [key] = quoteKeysOf(original);
  if (!key) throw new Error('there is no quote key');
  return key;
}

/** The terms inside a quote of this platform. */
export async function termsOf(original: Original): Promise<LaunchTerms> {
  const { plaintext } = await compactDecrypt(original.submission.signedQuote, newestKey(original).secret);
  return parseLaunchTerms(JSON.parse(new TextDecoder().decode(plaintext)));
}

/** Seals the same terms, changed, with one of the platform's own keys or another. */
export async function sealed(
  original: Original,
  change: Partial<LaunchTerms>,
  key = newestKey(original),
): Promise<{ signedQuote: string }> {
  const terms = { ...(await termsOf(original)), ...change };
  const scope = { environment: terms.environment, genesisHash: terms.genesisHash };
  return { signedQuote: await createQuoteSealer([key], scope).seal(terms) };
}

/** Encrypts any text with the platform's newest key under another header. */
async function encrypted(original: Original, header: object, plain?: string): Promise<{ signedQuote: string }> {
  const { id, secret } = newestKey(original);
  const usual = { alg: 'dir', enc: 'A256GCM', typ: 'launch-quote', kid: id };
  const bytes = new TextEncoder().encode(plain ?? JSON.stringify(await termsOf(original)));
  const signedQuote = await new CompactEncrypt(bytes).setProtectedHeader({ ...usual, ...header }).encrypt(secret);
  return { signedQuote };
}

const text = (change: (quote: string, other: string) => string) => (original: Original) => ({
  signedQuote: change(original.submission.signedQuote, original.other.submission.signedQuote),
});

/** Changes the parts of the compact form: 0 header, 1 key (empty), 2 initialisation vector, 3 ciphertext, 4 tag. */
const parts = (change: (parts: string[], other: string[]) => string[]) =>
  text((quote, other) => change(quote.split('.'), other.split('.')).join('.'));

/** Another character in the middle of a part. */
const flippedIn = (index: number) =>
  parts((all) =>
    all.map((part, at) => {
      const middle = Math.floor(part.length / 2);
      const letter = part[middle] === 'A' ? 'B' : 'A';
      return at === index ? `${part.slice(0, middle)}${letter}${part.slice(middle + 1)}` : part;
    }),
  );

const OTHER_GENESIS = '4uhcVJyU9pJkvQyS88uRDiswHXSCkY3zQawwpjk2NsNY';
const ALTERED = /altered or was not issued/;
const OTHER_VERSION = /another version of this platform/;

/** Every way in which a quote is not one that this platform issued for this launch. */
export const QUOTE_ALTERATIONS: readonly Alteration[] = [
  { what: 'another character in its header', says: ALTERED, alter: flippedIn(0) },
  { what: 'another character in its initialisation vector', says: ALTERED, alter: flippedIn(2) },
  { what: 'another character in its ciphertext', says: ALTERED, alter: flippedIn(3) },
  { what: 'another character in its tag', says: ALTERED, alter: flippedIn(4) },
  { what: 'a key where none belongs', says: ALTERED, alter: parts(([h, , ...rest]) => [h!, 'AAAA', ...rest]) },
  {
    what: 'initialisation vector and tag swapped',
    says: ALTERED,
    alter: parts(([h, k, iv, c, t]) => [h!, k!, t!, c!, iv!]),
  },
  { what: "another quote's ciphertext", says: ALTERED, alter: parts(([h, k, iv, , t], o) => [h!, k!, iv!, o[3]!, t!]) },
  { what: "another quote's tag", says: ALTERED, alter: parts(([h, k, iv, c], o) => [h!, k!, iv!, c!, o[4]!]) },
  { what: 'one part less', says: ALTERED, alter: parts((all) => all.slice(0, 4)) },
  { what: 'one part more', says: ALTERED, alter: parts((all) => [...all, 'AAAA']) },
  {
    what: 'its ciphertext cut short',
    says: ALTERED,
    alter: parts(([h, k, iv, c, t]) => [h!, k!, iv!, c!.slice(0, -4), t!]),
  },
  { what: 'half of it', says: ALTERED, alter: text((quote) => quote.slice(0, quote.length / 2)) },
  { what: 'nothing', says: /signedQuote/, alter: text(() => '') },
  { what: 'a word', says: ALTERED, alter: text(() => 'quote') },
  { what: 'more text than any quote has', says: /signedQuote/, alter: text((quote) => quote.padEnd(33_000, 'A')) },
  {
    what: 'a seal by another key under the same id',
    says: ALTERED,
    alter: (original) => sealed(original, {}, { id: newestKey(original).id, secret: randomBytes(32) }),
  },
  {
    what: 'a seal by an unknown key',
    says: ALTERED,
    alter: (original) => sealed(original, {}, { id: 'quote-9', secret: randomBytes(32) }),
  },
  {
    what: 'the id of another key of the platform',
    says: ALTERED,
    alter: (original) => sealed(original, {}, { id: 'quote-1', secret: newestKey(original).secret }),
  },
  {
    what: 'another environment',
    says: /belongs to environment "staging"/,
    alter: (original) => sealed(original, { environment: 'staging' }),
  },
  { what: 'another chain', says: /belongs to environment/, alter: (o) => sealed(o, { genesisHash: OTHER_GENESIS }) },
  { what: 'another type', says: ALTERED, alter: (original) => encrypted(original, { typ: 'claim-intent' }) },
  { what: 'no type', says: ALTERED, alter: (original) => encrypted(original, { typ: undefined }) },
  { what: 'no key id', says: ALTERED, alter: (original) => encrypted(original, { kid: undefined }) },
  { what: 'content that is no JSON', says: OTHER_VERSION, alter: (original) => encrypted(original, {}, 'terms') },
  {
    what: 'terms of another version',
    says: OTHER_VERSION,
    alter: async (o) => encrypted(o, {}, JSON.stringify({ ...(await termsOf(o)), version: 2 })),
  },
  {
    what: 'terms with a field too much',
    says: OTHER_VERSION,
    alter: async (o) => encrypted(o, {}, JSON.stringify({ ...(await termsOf(o)), discount: '1' })),
  },
  {
    what: 'no encryption at all',
    says: ALTERED,
    alter: async (o) => ({ signedQuote: new UnsecuredJWT({ ...(await termsOf(o)) }).encode() }),
  },
  {
    what: 'a signature instead of encryption',
    says: ALTERED,
    alter: async (original) => {
      const payload = new TextEncoder().encode(JSON.stringify(await termsOf(original)));
      const header = { alg: 'HS256', typ: 'launch-quote', kid: newestKey(original).id };
      return {
        signedQuote: await new CompactSign(payload).setProtectedHeader(header).sign(newestKey(original).secret),
      };
    },
  },
  { what: "the other launch's quote", says: /signedTransaction/, alter: text((_quote, other) => other) },
  {
    what: 'a cheaper price, sealed with the key itself, against the payment that was signed',
    says: /signedTransaction/,
    alter: async (original) => {
      const { payment } = await termsOf(original);
      return sealed(original, { payment: { ...payment, message: (await otherTerms(original)).payment.message } });
    },
  },
];

async function otherTerms(original: Original): Promise<LaunchTerms> {
  return termsOf({ ...original, submission: original.other.submission });
}
