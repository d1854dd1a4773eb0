import type { Connection } from '@solana/web3.js';
import type { Rpc } from '../../rpc/rpc.ts';
import type { Exchange } from '../exchange.ts';
import { planLaunch, sortsBefore } from '../opening.ts';
import { priceInTradedPart, TRADED_PART } from './accounts/pool-state.ts';
import { poolAddressOf } from './addresses.ts';
import { decodeSwaps } from './decode.ts';
import { decodeLiquidity } from './liquidity-events.ts';
import { readClaimables } from './claimables.ts';
import { buildHarvest, readClaimable, readLockedPosition } from './fees.ts';
import { buildLocks, buildPool } from './launch.ts';
import { FIXED_ADDRESSES } from './lookup.ts';
import { createPoolReader, readSummaries } from './reader.ts';
import { launchRent } from './rent.ts';
import { accountAt, agreedAccount, configOf, readTierFees } from './tiers.ts';
import { buildSwap, fillOn } from './trade.ts';

export interface RaydiumExchangeOptions {
  readonly connection: Connection;
  /** Processes that sign launches read tier rates by quorum. Default: one endpoint. */
  readonly quorum?: Pick<Rpc, 'accountsByEndpoint'>;
  /** About 0.03 SOL a launch. */
  readonly feeKeyMetadata: boolean;
}

export function createRaydiumExchange({ connection, quorum, feeKeyMetadata }: RaydiumExchangeOptions): Exchange {
  const reader = createPoolReader(connection);
  const readConfig = quorum ? agreedAccount(quorum) : accountAt(connection);

  return {
    kind: 'raydium',
    lookupAddresses: FIXED_ADDRESSES,
    tradedPart: TRADED_PART,
    markIn: (part) => String(priceInTradedPart(part)),
    describe: () =>
      'raydium CLMM with positions locked by its lock program; locks and harvests were checked against the published ' +
      'interface and never run: see docs/mainnet.md',
    poolFees: (tier) => readTierFees(readConfig, tier),
    planLaunch,
    poolAddress: (base, quote, tier) => {
      const [token0, token1] = sortsBefore(base, quote) ? [base, quote] : [quote, base];
      return poolAddressOf(configOf(tier), token0, token1);
    },
    launchRent: (request) => Promise.resolve(launchRent(request, feeKeyMetadata)),
    buildPool,
    buildLocks: (request) => buildLocks(request, feeKeyMetadata),
    readPool: (pool, commitment = 'confirmed') => reader.readPool(pool, commitment),
    readPools: (pools) => readSummaries(connection, pools),
    readLockedPosition: (pool, feeKeyMint) => readLockedPosition(connection, pool, feeKeyMint),
    quoteSwap: (state, request) => fillOn(state, request).quote,
    buildSwap,
    readClaimable: (pool, feeKeyMint) => readClaimable(connection, pool, feeKeyMint),
    readClaimables: (positions) => readClaimables(connection, positions),
    buildHarvest: (request) => buildHarvest(connection, request),
    decodeSwaps,
    decodeLiquidity,
  };
}
