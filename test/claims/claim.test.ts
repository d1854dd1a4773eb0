import { PublicKey } from '@solana/web3.js';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createSwitchRepository } from '../../db/switches.ts';
import { formatUnits } from '../../domain/amounts.ts';
import { createCreator, signatureIn, signedBy } from '../platform/creator.ts';
import { type Platform, startPlatform } from '../platform/platform.ts';
import { prepareClaim, readFees, submitClaim, tryPrepare, untilClaim } from './claimant.ts';
import { type Market, openMarket } from './market.ts';

let platform: Platform;
let market: Market;
beforeAll(async () => {
  platform = await startPlatform({ variables: { RATE_LIMIT_CLAIM_PREPARE: '100000' } });
  await createSwitchRepository(platform.db).set('rewardLaunches', 'open', { actor: 'test', note: 'for this test' });
  market = await openMarket(platform);
});
afterAll(() => platform.close());

describe('a creator who claims after trades', () => {
  beforeEach(async () => {
    await market.trade('buy', 5_000_000_000n);
    await market.trade('sell', 3_000_000_000_000_000n);
  });

  it('reads what is claimable and receives exactly that', async () => {
    const { creator, mint } = market;
    const fees = await readFees(platform, mint);
    const before = await market.holdings(creator.address);
    const claim = await prepareClaim(platform, mint, creator.keypair);
    expect(fees).toMatchObject({ http: 200, data: { claimable: claim.claimable } });
    const answer = await submitClaim(platform, claim, creator.keypair);
    expect(answer).toMatchObject({ http: 200, data: { alreadySubmitted: false, landed: true } });
    const after = await market.holdings(creator.address);
    const { base, quote } = claim.claimable;
    expect([after.base - before.base, after.quote - before.quote]).toEqual([BigInt(base.raw), BigInt(quote.raw)]);
    expect(after.base > 0n && after.quote > 0n).toBe(true);
    expect([base.amountTokens, quote.amountTokens]).toEqual([
      formatUnits(BigInt(base.raw), market.base.decimals),
      formatUnits(BigInt(quote.raw), market.quote.decimals),
    ]);
    expect([base.symbol, quote.symbol]).toEqual(['HARBOR', 'USDL']);
    expect(Number(quote.usd)).toBeCloseTo(Number(quote.amountTokens), 5);
    expect(Number(base.usd)).toBeGreaterThan(0);
    await untilClaim(platform, claim.intentId, 'finalized');
    expect(await submitClaim(platform, claim, creator.keypair)).toEqual({
      ...{ http: 200, data: { ...answer.data, alreadySubmitted: true } },
    });
  });
});
