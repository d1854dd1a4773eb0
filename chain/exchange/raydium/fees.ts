import type { Connection, PublicKey } from '@solana/web3.js';
import { unseen } from '../../rpc/json-rpc.ts';
import type { Claimable, HarvestRequest, InstructionGroup, LockedPosition } from '../exchange.ts';
import { feeKeyAccountOf, findFeeKeyHolder } from '../fee-key.ts';
import { claimableFees, wrappingSubtract128 } from '../pool-math.ts';
import { decodeLock, type LockAccount } from './accounts/locked-position.ts';
import { decodePersonalPosition, type PersonalPosition } from './accounts/personal-position.ts';
import { decodePoolState, type PoolAccount } from './accounts/pool-state.ts';
import { decodeTickArray, type TickAccount } from './accounts/tick-array.ts';
import {
  LOCK_AUTHORITY,
  lockedPositionAddress,
  personalPositionAddress,
  positionNftAccount,
  tickArrayAddress,
} from './addresses.ts';
import { type CollectRequest, collectLockedInstruction } from './instructions/collect.ts';
import { baseIsToken0, holdsOne } from './launch-positions.ts';
import { lookupAddressesOf } from './lookup.ts';
import { accountsOfState } from './pool-notes.ts';

// Not measured: no lock program. The CLMM's part took at most 36,000.
const HARVEST_COMPUTE_UNITS = 300_000;

export type FeePair = readonly [bigint, bigint];

/** Reads fees before tax, from one slot. Throws without pool or position. */
export async function readPositionFees(
  connection: Connection,
  pool: PublicKey,
  positionMint: PublicKey,
): Promise<{ position: PersonalPosition; fees: FeePair }> {
  const address = personalPositionAddress(positionMint);
  const [poolAccount, positionAccount] = await connection.getMultipleAccountsInfo([pool, address], 'confirmed');
  const { tickSpacing } = decodePoolState(pool, poolAccount ?? null);
  const { tickLower, tickUpper } = decodePersonalPosition(address, positionAccount ?? null);
  const arrays = [tickLower, tickUpper].map((tick) => tickArrayAddress(pool, tick, tickSpacing));
  const accounts = await connection.getMultipleAccountsInfo([pool, address, ...arrays], 'confirmed');
  const [state, position] = [
    decodePoolState(pool, accounts[0] ?? null),
    decodePersonalPosition(address, accounts[1] ?? null),
  ];
  const ticks = arrays.flatMap((array, index) => decodeTickArray(array, accounts[index + 2] ?? null).ticks);
  return { position, fees: positionFees(state, position, tickOf(ticks, tickLower), tickOf(ticks, tickUpper)) };
}

export function tickOf(ticks: readonly TickAccount[], tick: number): TickAccount {
  const found = ticks.find((each) => each.tick === tick);
  if (!found) throw new Error(`tick ${tick} of a position is not initialised`);
  return found;
}

/** Computes each fee: owed + floor(growth inside since the last update · L / 2^64). */
export function positionFees(
  pool: PoolAccount,
  position: PersonalPosition,
  lower: TickAccount,
  upper: TickAccount,
): FeePair {
  const { owed, insideLastX64, liquidity } = position;
  const [inside0, inside1] = [
    insideOf(pool.tick, pool.feeGrowth0X64, lower, upper, 'feeGrowthOutside0X64'),
    insideOf(pool.tick, pool.feeGrowth1X64, lower, upper, 'feeGrowthOutside1X64'),
  ];
  return [
    claimableFees(owed[0], inside0, insideLastX64[0], liquidity),
    claimableFees(owed[1], inside1, insideLastX64[1], liquidity),
  ];
}

/** Returns the total minus below and above, wrapping at 2^128. */
function insideOf(
  tick: number,
  growthX64: bigint,
  lower: TickAccount,
  upper: TickAccount,
  outside: 'feeGrowthOutside0X64' | 'feeGrowthOutside1X64',
): bigint {
  const below = tick >= lower.tick ? lower[outside] : wrappingSubtract128(growthX64, lower[outside]);
  const above = tick < upper.tick ? upper[outside] : wrappingSubtract128(growthX64, upper[outside]);
  return wrappingSubtract128(wrappingSubtract128(growthX64, below), above);
}

/** Throws for another pool's Fee Key. */
export async function readClaimable(
  connection: Connection,
  pool: PublicKey,
  feeKeyMint: PublicKey,
): Promise<Claimable> {
  const { position } = await mustReadLock(connection, pool, feeKeyMint);
  const { fees } = await readPositionFees(connection, pool, position.nftMint);
  return claimableOf(position, fees);
}

export function claimableOf(position: PersonalPosition, [fee0, fee1]: FeePair): Claimable {
  return baseIsToken0(position) ? { baseRaw: fee0, quoteRaw: fee1 } : { baseRaw: fee1, quoteRaw: fee0 };
}

/** Null without the Fee Key, or of another pool. */
export async function readLockedPosition(
  connection: Connection,
  pool: PublicKey,
  feeKeyMint: PublicKey,
): Promise<LockedPosition | null> {
  const found = await readLock(connection, pool, feeKeyMint);
  if (!found) return null;
  const { lock, position } = found;
  const { liquidity, tickLower, tickUpper } = position;
  const [nft, holder] = await Promise.all([
    connection.getAccountInfo(lock.nftAccount, 'confirmed'),
    findFeeKeyHolder(connection, feeKeyMint),
  ]);
  const kept = lock.nftAccount.equals(positionNftAccount(position.nftMint, LOCK_AUTHORITY)) && holdsOne(nft?.data);
  return { feeKeyMint, holder: holder?.owner ?? null, liquidity, tickLower, tickUpper, locked: kept };
}

/** Builds a harvest; `holder` must hold the Fee Key. */
export async function buildHarvest(connection: Connection, request: HarvestRequest): Promise<InstructionGroup> {
  const { pool, feeKeyMint, holder, quote } = request;
  const { lock, position } = await mustReadLock(connection, pool.pool, feeKeyMint);
  const collect = collectRequestOf(request, position);
  const from = await feeKeyAccountOf(connection, feeKeyMint, holder);
  const keys = { feeKeyMint, feeKeyAccount: from, lockedNftAccount: lock.nftAccount };
  return {
    instructions: [collectLockedInstruction({ ...collect, ...keys })],
    signers: [],
    computeUnits: HARVEST_COMPUTE_UNITS,
    lookupAddresses: lookupAddressesOf(quote.mint),
  };
}

export function collectRequestOf(
  request: Omit<HarvestRequest, 'feeKeyMint'>,
  { nftMint, tickLower, tickUpper }: PersonalPosition,
): CollectRequest {
  const { pool, base, holder, baseAccount, quoteAccount } = request;
  const [recipient0, recipient1] = pool.token0.equals(base.mint)
    ? [baseAccount, quoteAccount]
    : [quoteAccount, baseAccount];
  const accounts = accountsOfState(pool, request);
  return { pool: accounts, positionMint: nftMint, tickLower, tickUpper, holder, recipient0, recipient1 };
}

async function mustReadLock(connection: Connection, pool: PublicKey, feeKeyMint: PublicKey) {
  const found = await readLock(connection, pool, feeKeyMint);
  if (found) return found;
  throw unseen(`Fee Key ${feeKeyMint.toBase58()} of pool ${pool.toBase58()}`);
}

async function readLock(
  connection: Connection,
  pool: PublicKey,
  feeKeyMint: PublicKey,
): Promise<{ lock: LockAccount; position: PersonalPosition } | null> {
  const address = lockedPositionAddress(feeKeyMint);
  const account = await connection.getAccountInfo(address, 'confirmed');
  const lock = account && decodeLock(address, account);
  if (!lock?.pool.equals(pool) || !lock.feeKeyMint.equals(feeKeyMint)) return null;
  const position = await connection.getAccountInfo(lock.position, 'confirmed');
  return { lock, position: decodePersonalPosition(lock.position, position) };
}
