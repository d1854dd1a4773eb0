import type { AccountInfo, Connection, PublicKey } from '@solana/web3.js';
import { batchesOf } from '../../../domain/batches.ts';
import type { Claimable, PositionKey } from '../exchange.ts';
import { decodeLock, type LockAccount } from './accounts/locked-position.ts';
import { decodePersonalPosition } from './accounts/personal-position.ts';
import { decodePoolState } from './accounts/pool-state.ts';
import { decodeTickArray } from './accounts/tick-array.ts';
import { lockedPositionAddress, tickArrayAddress } from './addresses.ts';
import { claimableOf, positionFees, tickOf } from './fees.ts';

type Account = AccountInfo<Buffer> | null;

/** 100 accounts a call; a position needs four. */
const POSITIONS_PER_CALL = 25;

/** Reads fees before tax, in order, three calls per 25. Null without the lock, or if it is of another pool. */
export async function readClaimables(
  connection: Connection,
  positions: readonly PositionKey[],
): Promise<(Claimable | null)[]> {
  const answers: (Claimable | null)[] = [];
  for (const page of batchesOf(positions, POSITIONS_PER_CALL)) answers.push(...(await readPage(connection, page)));
  return answers;
}

async function readPage(connection: Connection, page: readonly PositionKey[]): Promise<(Claimable | null)[]> {
  const locks = await readLocks(connection, page);
  const found = locks.filter((lock) => lock !== null);
  const accounts = await readInFours(connection, await addressesOf(connection, found));
  const claimables = new Map(found.map((lock, index) => [lock, claimableIn(lock, accounts[index] ?? [])]));
  return locks.map((lock) => (lock && claimables.get(lock)) ?? null);
}

async function readLocks(connection: Connection, page: readonly PositionKey[]): Promise<(LockAccount | null)[]> {
  const addresses = page.map(({ feeKeyMint }) => lockedPositionAddress(feeKeyMint));
  const accounts = await connection.getMultipleAccountsInfo(addresses, 'confirmed');
  return page.map(({ pool, feeKeyMint }, index) => {
    const [address, account] = [addresses[index], accounts[index]];
    const lock = address && account ? decodeLock(address, account) : null;
    return lock?.pool.equals(pool) && lock.feeKeyMint.equals(feeKeyMint) ? lock : null;
  });
}

async function addressesOf(connection: Connection, locks: readonly LockAccount[]): Promise<PublicKey[][]> {
  if (locks.length === 0) return [];
  const addresses = locks.flatMap(({ pool, position }) => [pool, position]);
  const accounts = await connection.getMultipleAccountsInfo(addresses, 'confirmed');
  return locks.map(({ pool, position }, index) => {
    const { tickSpacing } = decodePoolState(pool, accounts[2 * index] ?? null);
    const { tickLower, tickUpper } = decodePersonalPosition(position, accounts[2 * index + 1] ?? null);
    const arrays = [tickLower, tickUpper].map((tick) => tickArrayAddress(pool, tick, tickSpacing));
    return [pool, position, ...arrays];
  });
}

/** Reads in one call: the accounts of a group come from one slot. */
async function readInFours(connection: Connection, groups: readonly PublicKey[][]): Promise<Account[][]> {
  if (groups.length === 0) return [];
  const accounts = await connection.getMultipleAccountsInfo(groups.flat(), 'confirmed');
  return groups.map((group, index) => accounts.slice(index * group.length, (index + 1) * group.length));
}

function claimableIn({ pool, position }: LockAccount, accounts: readonly Account[]): Claimable {
  const [poolAccount = null, positionAccount = null, ...arrays] = accounts;
  const state = decodePoolState(pool, poolAccount);
  const personal = decodePersonalPosition(position, positionAccount);
  const { tickLower, tickUpper } = personal;
  const ticks = [tickLower, tickUpper].map((tick, index) => {
    const address = tickArrayAddress(pool, tick, state.tickSpacing);
    return tickOf(decodeTickArray(address, arrays[index] ?? null).ticks, tick);
  });
  const [lower, upper] = ticks;
  if (!lower || !upper) throw new Error(`position ${position.toBase58()} has no range`);
  return claimableOf(personal, positionFees(state, personal, lower, upper));
}
