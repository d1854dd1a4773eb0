import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchContract } from '../../../support/exchange/contract-launch.ts';
import { swapContract } from '../../../support/exchange/contract-swaps.ts';
import { hasClmm, type RaydiumUnderTest, startRaydium } from '../../../support/exchange/raydium/real-program.ts';

// The contract's part on fees needs harvests through the lock program; real-fees.test.ts collects directly instead.
describe.runIf(hasClmm).concurrent("the raydium exchange on Raydium's real program", () => {
  let started: RaydiumUnderTest;
  beforeAll(async () => {
    started = await startRaydium();
  });
  afterAll(() => started.close());
  const context = () => started;

  test('has the rates of both tiers: 12 % of the fee to the protocol, 4 % to the fund', async () => {
    const rates = { tickSpacing: 120, protocolPpm: 120_000, fundPpm: 40_000 };
    expect(await started.exchange.poolFees('1%')).toEqual({ ...rates, feePpm: 10_000 });
    expect(await started.exchange.poolFees('2%')).toEqual({ ...rates, feePpm: 20_000 });
  });
  launchContract(context);
  swapContract(context);
});
