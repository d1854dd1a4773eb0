import { describe, expect, it } from 'vitest';
import { SHAPES } from '../../client/generated/operations.ts';
import { differenceFrom } from '../../client/http/shape.ts';
import { checkPayment, type LaunchQuote } from '../../client/index.ts';
import { type Alteration, alterationsOf, altered } from '../support/client/altered-fields.ts';
import { HONEST_QUOTES, type HonestQuote } from '../support/client/honest-quotes.ts';

/** Fields of a quote that may say something else and are signed all the same, and why. */
const SIGNED_ALL_THE_SAME: Readonly<Record<string, string>> = {
  signedQuote: 'opaque: submit refuses one that does not belong to the payment, and nothing is charged',
  mint: 'only the platform knows it; the client refuses to believe that another token is live',
  metadataUri: 'nothing is paid for by it; it has the form of an address',
  openingMarketCapUsd: 'a market price, which no client can know',
  quotePriceUsd: 'a market price, which no client can know',
  lastValidBlockHeight: 'not used: the client goes by its own clock',
  expiresAt: 'not used: the client goes by its own clock',
  'airdrop.snapshotSlot': 'only the platform knows when it took its list',
  'airdrop.delivery': 'the delivery is a promise; `slipway verify airdrop` proves it',
};

const isQuote = (value: unknown): value is LaunchQuote =>
  differenceFrom(SHAPES['POST /launches/prepare'], value, 'data') === null;

/** Whether the client would have the wallet sign. */
function isSigned({ wish }: HonestQuote, answer: unknown): boolean {
  if (!isQuote(answer)) return false;
  try {
    checkPayment(answer, wish, { maxLamports: 10_000_000_000n });
    return true;
  } catch {
    return false;
  }
}

/** Base64 without its padding is the same payment. */
function alterationsIn({ quote }: HonestQuote): Alteration[] {
  const issued = Buffer.from(quote.paymentTransaction, 'base64');
  const isSame = ({ path, to }: Alteration) =>
    path === 'paymentTransaction' && typeof to === 'string' && Buffer.from(to, 'base64').equals(issued);
  return alterationsOf(quote).filter((one) => !isSame(one));
}

const explained = ({ path }: Alteration) => path in SIGNED_ALL_THE_SAME;

describe.each(HONEST_QUOTES.map((honest) => [honest.what, honest] as const))('%s', (_what, honest) => {
  const alterations = alterationsIn(honest);

  it('is signed as it is', () => {
    expect(() => checkPayment(honest.quote, honest.wish, { maxLamports: 10_000_000_000n })).not.toThrow();
  });

  it('with any one field altered is refused, or the field is on the list', () => {
    const signed = alterations.filter((one) => !explained(one) && isSigned(honest, altered(honest.quote, one)));
    expect(signed).toEqual([]);
  });

  it('with any two fields altered is refused, or both are on the list', () => {
    const few = thinned(alterations.filter((one) => !explained(one)));
    const signed = few.flatMap((one, index) =>
      few
        .slice(index + 1)
        .filter((other) => isApart(one, other) && isSigned(honest, altered(altered(honest.quote, one), other)))
        .map((other) => `${one.path} and ${other.path}`),
    );
    expect(signed).toEqual([]);
  });
});

it('every field on the list is one that is signed with something else in it', () => {
  const signed = HONEST_QUOTES.flatMap((honest) =>
    alterationsIn(honest).filter((one) => isSigned(honest, altered(honest.quote, one))),
  );
  expect([...new Set(signed.map(({ path }) => path))].sort()).toEqual(Object.keys(SIGNED_ALL_THE_SAME).sort());
});

it('a payment that says nothing of the asked recipient of the fees is refused, and one that says it unasked', () => {
  const plain = HONEST_QUOTES[0]!;
  const named = HONEST_QUOTES.find(({ wish }) => wish.feeRecipient !== undefined)!;
  const swapped = (honest: HonestQuote, other: HonestQuote) => () =>
    checkPayment({ ...honest.quote, paymentTransaction: other.quote.paymentTransaction }, honest.wish, {
      maxLamports: 10_000_000_000n,
    });
  expect(swapped(named, plain)).toThrow('its memo on the fees is "none"');
  expect(swapped(plain, named)).toThrow('not exactly one memo');
});

it('a dev buy by SOL may bring fewer tokens, said alike in all fields: what SOL buys is a market price', () => {
  const { wish, quote } = HONEST_QUOTES[2]!;
  const devBuy = { tokens: 100, tokensRaw: '100000000000', netTokens: 97, netTokensRaw: '97000000000' };
  const fewer = { ...quote, devBuy: { ...devBuy, lamports: quote.devBuy?.lamports ?? 0 } };
  expect(() => checkPayment(fewer, wish, { maxLamports: 10_000_000_000n })).not.toThrow();
});

/** Three alterations of each field are enough for pairs. */
function thinned(alterations: readonly Alteration[]): Alteration[] {
  return [...Map.groupBy(alterations, ({ path }) => path).values()].flatMap((of) => of.slice(1, 4));
}

/** Neither lies in the other. */
function isApart(one: Alteration, other: Alteration): boolean {
  const [a, b] = [`${one.path}.`, `${other.path}.`];
  return !a.startsWith(b) && !b.startsWith(a);
}
