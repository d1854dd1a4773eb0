import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { TOKEN_2022_PROGRAM_ID } from '@solana/spl-token';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { formatUnits } from '../../domain/amounts.ts';
import { type RealStack, startRealStack } from '../campaigns/chaos/processes/real-stack.ts';
import { signatureIn, signedBy } from '../support/platform/creator.ts';
import { landedClaims } from '../support/claim/chain-claims.ts';
import { type PreparedClaim, prepareClaim, readFees, submitClaim, untilClaim } from '../support/claim/claimant.ts';
import { type DeskMarket, openDeskMarket } from '../support/claim/desk-market.ts';

let stack: RealStack;
beforeAll(async () => {
  stack = await startRealStack({ RATE_LIMIT_CLAIM_PREPARE: '100000' });
  await stack.control('setSlotMs', { slotMs: 40 });
});
afterAll(() => stack.close());

/** Whole quote tokens that the trader has, and the most of them that one buy takes in. */
const CASES = [
  { symbol: 'USDL', feeTier: '1%', ppm: 4_200n, funds: '1000000', mostCents: 150_000 },
  { symbol: 'LBIT', feeTier: '2%', ppm: 12_600n, funds: '10', mostCents: 2 },
  { symbol: 'CORAL', feeTier: '2%', ppm: 12_600n, funds: '10000000', mostCents: 5_000_000 },
] as const;

const TRADES = 12;

type Side = { base: bigint; quote: bigint };

describe.each(CASES)(
  'a day of trades at the desk against $symbol, tier $feeTier',
  ({ symbol, feeTier, ppm, ...rest }) => {
    let market: DeskMarket;
    const volume: Side = { base: 0n, quote: 0n };
    beforeAll(async () => {
      market = await openDeskMarket(stack, symbol, { funds: rest.funds, launch: { feeTier } });
      for (let count = 0; count < TRADES; count++) await tradeAtRandom(market, volume, rest.mostCents);
    });

    it('brings the creator, over HTTP, what was announced to the unit, which is the published share', async () => {
      const { creator, mint, base, quote } = market;
      expect(quote.tokenProgram.equals(TOKEN_2022_PROGRAM_ID)).toBe(symbol === 'LBIT');
      const fees = await readFees(stack, mint);
      const claim = await prepareClaim(stack, mint, creator.keypair);
      expect(fees.data?.claimable).toMatchObject({
        base: { amountRaw: claim.amounts.base.amountRaw },
        quote: { symbol },
      });
      expect((await submitClaim(stack, claim, creator.keypair)).data).toMatchObject({ landed: true });
      const received = await market.holdings(creator.address);
      expect(received).toEqual({
        base: BigInt(claim.amounts.base.amountRaw),
        quote: BigInt(claim.amounts.quote.amountRaw),
      });
      expect(claim.amounts.quote.amountTokens).toBe(Number(formatUnits(received.quote, quote.decimals)));
      expect(claim.amounts.base.amountTokens).toBe(Number(formatUnits(received.base, base.decimals)));
      expect(Number(claim.amounts.quote.amountUsd)).toBeGreaterThan(0);
      for (const side of ['base', 'quote'] as const) {
        expect(volume[side]).toBeGreaterThan(0n);
        expectShare(received[side], volume[side], ppm);
      }
      // What is claimable is read anew every two seconds.
      await expect
        .poll(async () => (await readFees(stack, mint)).data?.claimable)
        .toMatchObject({ base: { amountRaw: '0' }, quote: { amountRaw: '0' } });
    });

    it('is claimed once, however often and however late the same is submitted', async () => {
      const { creator, mint } = market;
      await tradeAtRandom(market, volume, rest.mostCents);
      const before = await market.holdings(creator.address);
      const claim = await prepareClaim(stack, mint, creator.keypair);
      await expectOneAnswer(market, claim, 20);
      await untilClaim(stack, claim.intentId, 'finalized');
      await aMinuteLater();
      await expectOneAnswer(market, claim, 3);
      const after = await market.holdings(creator.address);
      expect(after.quote - before.quote).toBe(BigInt(claim.amounts.quote.amountRaw));
      expect(after.base - before.base).toBe(BigInt(claim.amounts.base.amountRaw));
    });
  },
);

/** Submits the same at once so many times: one signature, and one transaction on the chain. */
async function expectOneAnswer({ creator }: DeskMarket, claim: PreparedClaim, times: number): Promise<void> {
  const answers = await Promise.all(Array.from({ length: times }, () => submitClaim(stack, claim, creator.keypair)));
  const signature = signatureIn(signedBy(claim.transaction, [creator.keypair]));
  for (const answer of answers) expect(answer, answer.error?.message).toMatchObject({ http: 200, data: { signature } });
  expect(answers.filter(({ data }) => data?.alreadySubmitted === false).length).toBeLessThanOrEqual(1);
  expect(await landedClaims(stack, claim.intentId)).toEqual([signature]);
}

/** Every blockhash of the claim's time is long past then. Really a minute only where SLOW_TESTS=1 asks for it. */
async function aMinuteLater(): Promise<void> {
  if (process.env['SLOW_TESTS'] === '1') await sleep(61_000);
  else await stack.control('expireBlockhashes', {});
}

/** A buy for a random part of the most, or a sell of a random part of what the trader has. */
async function tradeAtRandom(market: DeskMarket, volume: Side, most: number): Promise<void> {
  const held = (await market.holdings(market.trader.publicKey)).base;
  const { quote, base } = market;
  if (held > 0n && volume.base === 0n) {
    volume.base += await market.trade('sell', formatUnits(held / 3n, base.decimals));
  } else if (held === 0n || randomInt(2) === 0) {
    const raw = (BigInt(randomInt(1_000, 1_000_000)) * BigInt(most) * 10n ** BigInt(quote.decimals)) / 100_000_000n;
    volume.quote += await market.trade('buy', formatUnits(raw, quote.decimals));
  } else {
    volume.base += await market.trade('sell', formatUnits((held * BigInt(randomInt(1, 60))) / 100n, base.decimals));
  }
}

/** Each trade rounds its fee and its shares down by a few raw units. */
function expectShare(received: bigint, volume: bigint, ppm: bigint): void {
  const expected = (volume * ppm) / 1_000_000n;
  const slack = BigInt(TRADES) * 8n + volume / 10n ** 9n;
  const difference = received > expected ? received - expected : expected - received;
  expect(difference, `${received} of ${volume}`).toBeLessThanOrEqual(slack);
}
