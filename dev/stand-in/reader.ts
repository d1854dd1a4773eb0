import { MintLayout, TOKEN_PROGRAM_ID } from '@solana/spl-token';
import type { AccountInfo, Connection, PublicKey } from '@solana/web3.js';
import { batchesOf } from '../../domain/batches.ts';
import type { PoolState } from '../../chain/exchange/exchange.ts';
import { unseen } from '../../chain/rpc/json-rpc.ts';
import type { StandInKeys } from './keys.ts';
import { type Commitment, findState, findTokens, type PoolToken } from './search.ts';
import { type StandInState, localFees, rangeOf, swapPoolOf } from './state.ts';
import { encodeState } from './state-text.ts';

export interface StandInPoolReader {
  /** Reads pools in order; null if missing. One call per 100, some more per changed pool. */
  readPools(pools: readonly PublicKey[], commitment: Commitment): Promise<(PoolState | null)[]>;
}

const ACCOUNTS_PER_CALL = 100;
/** A swap can land between account and history. */
const READ_ATTEMPTS = 3;

/** Keyed by commitments in pool accounts, tokens by the pool: never stale, even after a fork. */
export function createStandInPoolReader(connection: Connection, keys: StandInKeys): StandInPoolReader {
  const states = new Map<string, StandInState>();
  const tokens = new Map<string, readonly [PoolToken, PoolToken]>();

  async function tokensOf(pool: PublicKey, state: StandInState, commitment: Commitment) {
    const known = tokens.get(pool.toBase58());
    if (known) return known;
    const found = await findTokens(connection, keys, pool, state, commitment);
    tokens.set(pool.toBase58(), found);
    return found;
  }

  async function stateOf(pool: PublicKey, stateKey: PublicKey, commitment: Commitment): Promise<StandInState | null> {
    const known = states.get(stateKey.toBase58());
    if (known) return known;
    const found = await findState(connection, keys, pool, stateKey, commitment);
    if (found) remember(states, stateKey.toBase58(), found);
    return found;
  }

  async function readOne(pool: PublicKey, account: AccountInfo<Buffer> | null, slot: number, commitment: Commitment) {
    for (let attempt = 1; account; attempt++) {
      const stateKey = stateKeyOf(pool, account);
      const state = await stateOf(pool, stateKey, commitment);
      if (state) return poolStateOf(pool, state, await tokensOf(pool, state, commitment), slot);
      if (attempt === READ_ATTEMPTS) {
        throw unseen(`the memo of state ${stateKey.toBase58()} of pool ${pool.toBase58()}`);
      }
      ({
        value: account,
        context: { slot },
      } = await connection.getAccountInfoAndContext(pool, commitment));
    }
    return null;
  }

  async function readPage(pools: PublicKey[], commitment: Commitment) {
    const { value, context } = await connection.getMultipleAccountsInfoAndContext(pools, commitment);
    return Promise.all(pools.map((pool, index) => readOne(pool, value[index] ?? null, context.slot, commitment)));
  }

  return {
    async readPools(pools, commitment) {
      const results: (PoolState | null)[] = [];
      for (const page of batchesOf(pools, ACCOUNTS_PER_CALL)) results.push(...(await readPage(page, commitment)));
      return results;
    },
  };
}

const REMEMBERED_STATES = 10_000;

function remember<Value>(map: Map<string, Value>, key: string, value: Value): void {
  map.set(key, value);
  const oldest = map.size > REMEMBERED_STATES ? map.keys().next().value : undefined;
  if (oldest !== undefined) map.delete(oldest);
}

/** Throws for no stand-in pool. */
function stateKeyOf(pool: PublicKey, account: AccountInfo<Buffer>): PublicKey {
  if (account.owner.equals(TOKEN_PROGRAM_ID) && account.data.length === MintLayout.span) {
    const mint = MintLayout.decode(account.data);
    if (mint.freezeAuthorityOption === 1) return mint.freezeAuthority;
  }
  throw new Error(`${pool.toBase58()} is no pool of the local exchange`);
}

function poolStateOf(
  pool: PublicKey,
  state: StandInState,
  [token0, token1]: readonly [PoolToken, PoolToken],
  slot: number,
): PoolState {
  const { liquidity, ticks } = swapPoolOf(state);
  return {
    pool,
    token0: token0.mint,
    token1: token1.mint,
    vault0: token0.vault,
    vault1: token1.vault,
    fees: localFees(state.tier),
    sqrtPriceX64: state.sqrtPriceX64,
    tick: state.tick,
    liquidity: state.liquidity[0] + state.liquidity[1],
    ...rangeOf(state),
    feeGrowth0X64: state.growthX64[0],
    feeGrowth1X64: state.growthX64[1],
    activeLiquidity: liquidity,
    ticks,
    adapterState: encodeState(state),
    slot,
  };
}
