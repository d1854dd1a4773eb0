import type { AccountInfo, Connection, PublicKey } from '@solana/web3.js';
import { batchesOf } from '../../../domain/batches.ts';
import { RpcUnavailableError } from '../../rpc/json-rpc.ts';
import type { PoolState, PoolSummary } from '../exchange.ts';
import { OUTERMOST_TICK } from '../opening.ts';
import { decodeAmmConfig } from './accounts/amm-config.ts';
import { decodePoolState, type PoolAccount } from './accounts/pool-state.ts';
import { decodeTickArray } from './accounts/tick-array.ts';
import { tickArrayAddress } from './addresses.ts';
import { type Commitment, findLaunchPositions, type LaunchPositions } from './launch-positions.ts';
import { encodeNotes } from './pool-notes.ts';
import { initialisedArrays } from './tick-arrays.ts';

export interface PoolReader {
  /** Null without an account. Throws if it is no pool. */
  readPool(pool: PublicKey, commitment: Commitment): Promise<PoolState | null>;
}

const ACCOUNTS_PER_CALL = 100;
/** A tick array can be initialised between two reads. */
const READ_ATTEMPTS = 3;

interface Snapshot {
  readonly address: PublicKey;
  readonly pool: PoolAccount;
  readonly accounts: readonly (AccountInfo<Buffer> | null)[];
  readonly slot: number;
}

/** The pool, then pool, configuration and tick arrays at one slot. Launch positions are cached: they never change. */
export function createPoolReader(connection: Connection): PoolReader {
  const launches = new Map<string, LaunchPositions>();

  async function launchOf(pool: PublicKey, creator: PublicKey, commitment: Commitment) {
    const known = launches.get(pool.toBase58());
    if (known) return known;
    const found = await findLaunchPositions(connection, pool, creator, commitment);
    if (found?.locked) launches.set(pool.toBase58(), found);
    return found;
  }

  return {
    async readPool(pool, commitment) {
      const account = await connection.getAccountInfo(pool, commitment);
      if (!account) return null;
      const snapshot = await readSnapshot(connection, pool, decodePoolState(pool, account), commitment);
      return stateOf(snapshot, await launchOf(pool, snapshot.pool.owner, commitment));
    },
  };
}

/** Reads 100 pools a call, in order. Throws if an account is no pool. */
export async function readSummaries(
  connection: Connection,
  pools: readonly PublicKey[],
): Promise<(PoolSummary | null)[]> {
  const summaries: (PoolSummary | null)[] = [];
  for (const page of batchesOf(pools, ACCOUNTS_PER_CALL)) {
    const { accounts, slot } = await readAccounts(connection, page, 'confirmed');
    summaries.push(
      ...page.map((pool, index) => {
        const account = accounts[index];
        return account ? summaryOf(pool, decodePoolState(pool, account), slot) : null;
      }),
    );
  }
  return summaries;
}

function summaryOf(address: PublicKey, pool: PoolAccount, slot: number): PoolSummary {
  const { token0, token1, vault0, vault1, sqrtPriceX64, tick, feeGrowth0X64, feeGrowth1X64, liquidity } = pool;
  return {
    pool: address,
    token0,
    token1,
    vault0,
    vault1,
    sqrtPriceX64,
    tick,
    feeGrowth0X64,
    feeGrowth1X64,
    activeLiquidity: liquidity,
    slot,
  };
}

async function readSnapshot(
  connection: Connection,
  address: PublicKey,
  first: PoolAccount,
  commitment: Commitment,
): Promise<Snapshot> {
  let before = first;
  for (let attempt = 1; attempt <= READ_ATTEMPTS; attempt++) {
    const addresses = [address, before.ammConfig, ...arraysOf(address, before)];
    const { accounts, slot } = await readAccounts(connection, addresses, commitment);
    const [poolAccount, ...rest] = accounts;
    const pool = decodePoolState(address, poolAccount ?? null);
    if (pool.tickArrayBitmap === before.tickArrayBitmap) return { address, pool, accounts: rest, slot };
    before = pool;
  }
  throw new RpcUnavailableError(
    `the tick arrays of pool ${address.toBase58()} changed ${READ_ATTEMPTS} times while they were read`,
  );
}

function arraysOf(address: PublicKey, { tickArrayBitmap, tickSpacing }: PoolAccount): PublicKey[] {
  const starts = initialisedArrays(tickArrayBitmap, tickSpacing);
  return starts.map((start) => tickArrayAddress(address, start, tickSpacing));
}

/** Reads accounts; `slot` is the oldest of the calls. */
async function readAccounts(connection: Connection, addresses: readonly PublicKey[], commitment: Commitment) {
  const accounts: (AccountInfo<Buffer> | null)[] = [];
  let slot = Number.MAX_SAFE_INTEGER;
  for (const page of batchesOf(addresses, ACCOUNTS_PER_CALL)) {
    const { value, context } = await connection.getMultipleAccountsInfoAndContext(page, commitment);
    accounts.push(...value);
    slot = Math.min(slot, context.slot);
  }
  return { accounts, slot };
}

function stateOf({ address, pool, accounts, slot }: Snapshot, launch: LaunchPositions | null): PoolState {
  const [config, ...arrays] = accounts;
  const { ammConfig, status, feeOn, tickSpacing } = pool;
  const addresses = arraysOf(address, pool);
  const ticks = arrays.flatMap((account, index) => decodeTickArray(addresses[index] ?? address, account).ticks);
  const tickArrays = initialisedArrays(pool.tickArrayBitmap, tickSpacing);
  return {
    ...summaryOf(address, pool, slot),
    fees: decodeAmmConfig(ammConfig, config ?? null).fees,
    // Not launched here.
    liquidity: launch?.liquidity ?? 0n,
    tickLower: launch?.tickLower ?? -OUTERMOST_TICK,
    tickUpper: launch?.tickUpper ?? OUTERMOST_TICK,
    ticks: ticks.map(({ tick, liquidityNet, liquidityGross }) => ({ tick, liquidityNet, liquidityGross })),
    adapterState: encodeNotes({ ammConfig, status, feeOn, tickArrays }),
  };
}
