import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { traceOf } from '../support/platform/chain-facts.ts';
import { createCreator } from '../support/platform/creator.ts';
import { type Platform, startPlatform } from '../support/platform/platform.ts';
import type { Alteration, Original } from '../support/launch/alterations/alteration.ts';
import { deployInPlaceOfLighthouse } from '../support/launch/lighthouse.ts';
import { LOGO_ALTERATIONS } from '../support/launch/alterations/logo-alterations.ts';
import { PAYMENT_ALTERATIONS } from '../support/launch/alterations/payment-alterations.ts';
import { withAssertion } from '../support/launch/alterations/payment-forge.ts';
import { QUOTE_ALTERATIONS, quoteKeysOf, sealed } from '../support/launch/alterations/quote-alterations.ts';

let platform: Platform;
let original: Original;

async function prepareBoth(): Promise<Original> {
  const creator = await createCreator(platform);
  const [prepared, second] = [await creator.prepare(), await creator.prepare({ name: 'Another' })];
  const other = { prepared: second, submission: creator.sign(second) };
  return { platform, creator, prepared, submission: creator.sign(prepared), other };
}

beforeAll(async () => {
  // Nothing may be refused for being late: the chain is slow until both are prepared, and then stands still.
  platform = await startPlatform({ slotMs: 400 });
  original = await prepareBoth();
  platform.chain.control.setSlotMs(0);
});
afterAll(() => platform.close());

/** Everything that a refusal must leave as it is. */
async function world() {
  const { creator, prepared, other } = original;
  const rows = (table: 'launches' | 'chainTransactions' | 'launchSignatures') =>
    platform.db
      .selectFrom(table)
      .select((eb) => eb.fn.countAll<bigint>().as('count'))
      .executeTakeFirstOrThrow();
  return {
    traces: [await traceOf(platform, prepared), await traceOf(platform, other.prepared)],
    balance: await creator.balance(),
    history: (await platform.connection.getSignaturesForAddress(creator.address)).length,
    rows: [await rows('launches'), await rows('chainTransactions'), await rows('launchSignatures')],
  };
}

const NOTHING = { wallet: null, token: null, transactions: 0, ledger: [] };

const tables: [string, readonly Alteration[]][] = [
  ['payment', PAYMENT_ALTERATIONS],
  ['quote', QUOTE_ALTERATIONS],
  ['logo', LOGO_ALTERATIONS],
];

describe.each(tables)('a submit whose %s was altered is refused, and nothing is signed or sent', (_what, table) => {
  let before: Awaited<ReturnType<typeof world>>;
  beforeEach(async () => {
    before = await world();
    expect(before.traces).toEqual([NOTHING, NOTHING]);
  });

  it.each(table.map(({ what, ...rest }) => [what, rest] as const))('%s', async (_alteration, { alter, says }) => {
    const altered = await alter(original);
    const changed = { ...original.submission, ...altered };
    expect(changed).not.toEqual(original.submission);
    const answer = await original.creator.submit(changed);
    expect(answer).toMatchObject({ http: 400, error: { code: 'invalid_request', retryable: false } });
    expect(answer.error?.message).toMatch(says);
    expect(await world()).toEqual(before);
  });
});

describe('what is not an alteration', () => {
  beforeEach(async () => {
    platform.chain.control.setSlotMs(150);
    original = await prepareBoth();
  });

  const completed = { http: 200, data: { status: 'completed' } };

  it('the very submission that all others differ from is completed', async () => {
    expect(await original.creator.submit(original.submission)).toMatchObject(completed);
  });

  it('a quote sealed with the key before the present one still opens', async () => {
    const old = quoteKeysOf(original)[1];
    const again = await sealed(original, {}, old);
    expect(again.signedQuote.split('.')[0]).not.toBe(original.submission.signedQuote.split('.')[0]);
    expect(await original.creator.submit({ ...original.submission, ...again })).toMatchObject(completed);
  });

  it('a payment behind which a wallet put a read-only Lighthouse assertion is completed', async () => {
    await deployInPlaceOfLighthouse(platform);
    const submission = { ...original.submission, ...withAssertion(original) };
    expect(submission).not.toEqual(original.submission);
    expect(await original.creator.submit(submission)).toMatchObject(completed);
  });
});
