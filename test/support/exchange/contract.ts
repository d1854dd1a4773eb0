import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Exchange } from '../../../chain/exchange/exchange.ts';
import { feeContract } from './contract-fees.ts';
import { launchContract } from './contract-launch.ts';
import { swapContract } from './contract-swaps.ts';
import type { ExchangeUnderTest } from './exchange-under-test.ts';

/** What every exchange adapter must do. `start` brings up a chain that the adapter's exchange works on. */
export function exchangeContract(kind: Exchange['kind'], start: () => Promise<ExchangeUnderTest>): void {
  // Side by side: every test makes mints and wallets of its own, and mostly waits for slots.
  describe.concurrent(`the ${kind} exchange`, () => {
    let started: ExchangeUnderTest;
    beforeAll(async () => {
      started = await start();
    });
    afterAll(() => started.close());
    const context = () => started;

    test('says what it is', () => {
      expect(started.exchange.kind).toBe(kind);
      expect(started.exchange.describe()).toContain(kind);
    });
    test('has the rates of both tiers: 12 % of the fee to the protocol, 4 % to the fund', async () => {
      const rates = { tickSpacing: 120, protocolPpm: 120_000, fundPpm: 40_000 };
      expect(await started.exchange.poolFees('1%')).toEqual({ ...rates, feePpm: 10_000 });
      expect(await started.exchange.poolFees('2%')).toEqual({ ...rates, feePpm: 20_000 });
    });
    launchContract(context);
    swapContract(context);
    feeContract(context);
  });
}
