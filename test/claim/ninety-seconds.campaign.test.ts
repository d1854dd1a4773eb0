import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Platform, startPlatform } from '../support/platform/platform.ts';
import { landedClaims } from '../support/claim/chain-claims.ts';
import { prepareClaim, submitClaim } from '../support/claim/claimant.ts';
import { type Market, openMarket } from '../support/claim/claim-market.ts';

/** The published times, in ms, on a chain with slots as long as the real one's: a blockhash lives 60 s there. */
const IN_TIME = 80_000;
const TOO_LATE = 91_000;

// Two minutes of waiting: only where SLOW_TESTS=1 asks for it. The same promises with short timers are in lifecycle.test.ts.
describe.runIf(process.env['SLOW_TESTS'] === '1')('a claim with the published 90 seconds', () => {
  let platform: Platform;
  let markets: [Market, Market];
  beforeAll(async () => {
    platform = await startPlatform({ slotMs: 400, variables: { SUBMIT_WAIT_SECONDS: '60' } });
    // What the seeding wrote must be confirmed before the first launch is simulated.
    platform.chain.control.advanceSlots(40);
    markets = await Promise.all([openMarket(platform), openMarket(platform)]);
    await Promise.all(markets.map((market) => market.trade('buy', 5_000_000_000n)));
  });
  afterAll(() => platform.close());

  it('lands 80 s after it was prepared and is 409 after 91 s', async () => {
    const [inTime, tooLate] = markets;
    const claims = await Promise.all(markets.map(({ mint, creator }) => prepareClaim(platform, mint, creator.keypair)));
    const [first, second] = claims;
    await sleep(IN_TIME);
    const answer = await submitClaim(platform, first!, inTime.creator.keypair);
    expect(answer).toMatchObject({ http: 200, data: { landed: true } });
    expect((await inTime.holdings(inTime.creator.address)).quote).toBe(BigInt(first!.amounts.quote.amountRaw));
    await sleep(TOO_LATE - IN_TIME);
    const late = await submitClaim(platform, second!, tooLate.creator.keypair);
    expect(late).toMatchObject({ http: 409, error: { code: 'conflict', retryable: true } });
    expect(await landedClaims(platform, second!.intentId)).toEqual([]);
  });
});
