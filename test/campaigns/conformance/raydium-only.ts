import type { Connection } from '@solana/web3.js';
import { beforeAll, describe, expect, test } from 'vitest';
import { createCustomizablePoolInstruction } from '../../../chain/exchange/raydium/instructions/create-pool.ts';
import { launchedPool } from '../../../chain/exchange/raydium/launch.ts';
import { createRaydiumExchange } from '../../../chain/exchange/raydium/raydium-exchange.ts';
import { metadataAddress } from '../../../chain/tokens/metaplex.ts';
import type { ExchangeUnderTest } from '../../support/exchange/exchange-under-test.ts';
import type { LaunchCase } from '../../support/exchange/launch-request.ts';
import { type LaunchUnderTest, openTrader, prepareLaunch, swap } from '../../support/exchange/launched-pool.ts';

const CASE: LaunchCase = {
  fee: { mode: 'standard', feeTier: '1%' },
  baseFirst: true,
  quoteProgram: 'classic',
  devBuy: false,
};

type RaydiumUnderTest = ExchangeUnderTest & { readonly connection: Connection };

/** Instructions of Raydium's that no launch uses, or not by default; checked on a fork, because their programs cannot be had. */
export function raydiumOnly(start: () => Promise<RaydiumUnderTest>): void {
  describe('instructions of Raydium that only a fork has', () => {
    let started: RaydiumUnderTest;
    beforeAll(async () => {
      started = await start();
    });

    test('create_customizable_pool: all fees of the pool are taken in the quote token', async () => {
      const launch = await prepareLaunch(started.exchange, started.chain, CASE);
      await openCustomizablePool(launch);
      await launch.succeed(started.exchange.buildLocks(launch.request));
      const trader = await openTrader(launch);
      await swap(launch, trader, { side: 'buy', exact: 'in', amount: 1_000_000_000n });
      await swap(launch, trader, { side: 'sell', exact: 'in', amount: 10n ** 15n });
      const claimable = await started.exchange.readClaimable(launch.pool, launch.parties.feeKeyMints[0].publicKey);
      expect(claimable.baseRaw).toBe(0n);
      expect(claimable.quoteRaw).toBeGreaterThan(0n);
    });

    test('lock_clmm_position with metadata: both Fee Keys have a Metaplex account', async () => {
      const { connection, chain } = started;
      const exchange = createRaydiumExchange({ connection, feeKeyMetadata: true });
      const launch = await prepareLaunch(exchange, chain, CASE);
      await launch.succeed(exchange.buildPool(launch.request));
      await launch.succeed(exchange.buildLocks(launch.request));
      const keys = launch.parties.feeKeyMints.map(({ publicKey }) => metadataAddress(publicKey));
      const accounts = await connection.getMultipleAccountsInfo(keys, 'confirmed');
      expect(accounts.every((account) => account !== null)).toBe(true);
    });
  });
}

/** The launch's pool, but with its fees in the quote token. */
async function openCustomizablePool(launch: LaunchUnderTest): Promise<void> {
  const { exchange, request } = launch;
  const group = exchange.buildPool(request);
  const { opening } = request.plan;
  const create = {
    creator: request.launchWallet,
    pool: launchedPool(request),
    sqrtPriceX64: BigInt(opening.sqrtPriceX64),
  };
  const feeOn = opening.baseIsToken0 ? 'token1' : 'token0';
  await launch.succeed({
    ...group,
    instructions: [createCustomizablePoolInstruction(create, feeOn), ...group.instructions.slice(1)],
  });
}
