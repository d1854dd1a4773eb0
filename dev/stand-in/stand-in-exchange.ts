import { type Connection, PublicKey } from '@solana/web3.js';
import { publicClusterOf } from '../../domain/network.ts';
import type { AccountPart, Claimable, Exchange, PoolState } from '../../chain/exchange/exchange.ts';
import { feeKeyAccountOf } from '../../chain/exchange/fee-key.ts';
import { planLaunch } from '../../chain/exchange/opening.ts';
import { unseen } from '../../chain/rpc/json-rpc.ts';
import { decodeSwaps } from './decode.ts';
import { createStandInKeys, type StandInSecret } from './keys.ts';
import { buildLocks, buildPool, launchRent } from './launch.ts';
import { readLockedPosition } from './locked-position.ts';
import { createStandInPoolReader } from './reader.ts';
import { claimableOf, feeKeyTag, localFees, positionOf } from './state.ts';
import { decodeState } from './state-text.ts';
import { buildHarvest, buildSwap, fillOn } from './trade.ts';

/** A COption; each state has its own key. */
const STATE_KEY: AccountPart = { offset: 46, length: 36 };
const OPTION_BYTES = 4;

export interface StandInOptions extends StandInSecret {
  readonly connection: Connection;
}

/**
 * Exchange for tests and demonstration. It has no program: a derived key owns the vaults and co-signs what the
 * arithmetic allows, so the seed's holder controls every pool. A pool's address is a mint of two units, one per
 * position; the locks burn them. Its freeze authority is a key derived from the pool state, which each swap hands to
 * the next state's: a swap lands only on its quoted state, and a memo of that state can be trusted. Nothing lives only
 * in memory. Throws on a public cluster.
 */
export function createStandInExchange({ connection, seed, genesisHash }: StandInOptions): Exchange {
  const cluster = publicClusterOf(genesisHash);
  if (cluster !== undefined) throw new Error(`the stand-in exchange does not run on ${cluster}`);
  const keys = createStandInKeys({ seed, genesisHash });
  const reader = createStandInPoolReader(connection, keys);

  async function readPool(pool: PublicKey, commitment: 'confirmed' | 'finalized' = 'confirmed') {
    const [state] = await reader.readPools([pool], commitment);
    return state ?? null;
  }

  return {
    kind: 'local',
    lookupAddresses: [],
    tradedPart: STATE_KEY,
    markIn: (part) => new PublicKey(part.subarray(OPTION_BYTES)).toBase58(),
    describe: () =>
      'local stand-in for the exchange, for tests and demonstration only: this process holds the keys of every pool',
    poolFees: (tier) => Promise.resolve(localFees(tier)),
    planLaunch,
    poolAddress: (base, quote, tier) => keys.pool(base, quote, tier).publicKey,
    launchRent: (request) => Promise.resolve(launchRent(request)),
    buildPool: (request) => buildPool(keys, request),
    buildLocks: (request) => buildLocks(keys, request),
    readPool,
    readPools: (pools) => reader.readPools(pools, 'confirmed'),
    readLockedPosition: (pool, feeKeyMint) => readLockedPosition(connection, reader, pool, feeKeyMint),
    quoteSwap: (state, request) => fillOn(state, request).quote,
    buildSwap: (request) => buildSwap(keys, request),
    async readClaimable(pool, feeKeyMint, known) {
      const found = known ?? (await readPool(pool));
      if (!found) throw unseen(`pool ${pool.toBase58()}`);
      const state = decodeState(found.adapterState);
      return claimableOf(state, positionOf(state, feeKeyMint));
    },
    async readClaimables(positions) {
      const states = await reader.readPools(
        positions.map(({ pool }) => pool),
        'confirmed',
      );
      return positions.map(({ feeKeyMint }, index) => claimableIn(states[index], feeKeyMint));
    },
    buildHarvest: async (request) => {
      const from = await feeKeyAccountOf(connection, request.feeKeyMint, request.holder);
      return buildHarvest(keys, request, from);
    },
    decodeSwaps: (transaction, baseSideOf) =>
      decodeSwaps(keys, transaction).filter(({ pool }) => baseSideOf(pool) !== undefined),
    // Its pools have the two launch positions alone.
    decodeLiquidity: () => [],
  };
}

function claimableIn(found: PoolState | null | undefined, feeKeyMint: PublicKey): Claimable | null {
  const state = found && decodeState(found.adapterState);
  return state?.feeKeyTags.includes(feeKeyTag(feeKeyMint)) ? claimableOf(state, positionOf(state, feeKeyMint)) : null;
}
