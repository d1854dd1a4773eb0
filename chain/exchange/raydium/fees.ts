import type { Connection, PublicKey } from '@solana/web3.js';
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

// Not measured: the lock program was never at hand. It calls the CLMM, which took at most 36,000 for the collection itself.
const HARVEST_COMPUTE_UNITS = 300_000;

/** Fees of token0 and token1, raw units. */
export type FeePair = readonly [bigint, bigint];

/**
 * Uncollected fees of a position, gross of a transfer tax: all accounts they follow from are read in one call, so at one
 * slot. Throws when there is no such pool or position.
 */
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

/** The tick that a position begins or ends at. Throws when it is not initialised. */
export function tickOf(ticks: readonly TickAccount[], tick: number): TickAccount {
  const found = ticks.find((each) => each.tick === tick);
  if (!found) throw new Error(`tick ${tick} of a position is not initialised`);
  return found;
}

/** A position's fees: owed + floor(growth inside its range since it was last touched · L / 2^64), for each token. */
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

/** Fee growth inside a range: what grew in all, less what grew below and above it. All wrap at 2^128. */
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

/** Uncollected fees of a locked position. Throws when the Fee Key is none of this pool. */
export async function readClaimable(
  connection: Connection,
  pool: PublicKey,
  feeKeyMint: PublicKey,
): Promise<Claimable> {
  const { position } = await mustReadLock(connection, pool, feeKeyMint);
  const { fees } = await readPositionFees(connection, pool, position.nftMint);
  return claimableOf(position, fees);
}

/** A launch position's fees by what its tokens are to the pool. */
export function claimableOf(position: PersonalPosition, [fee0, fee1]: FeePair): Claimable {
  return baseIsToken0(position) ? { baseRaw: fee0, quoteRaw: fee1 } : { baseRaw: fee1, quoteRaw: fee0 };
}

/** Reads a locked position; null when its Fee Key does not exist or belongs to another pool. */
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

/** A harvest through the lock program, of a position whose Fee Key the holder has. */
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

/** What a collection of a position's fees needs, be it locked or not. */
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
  throw new Error(`${feeKeyMint.toBase58()} is no Fee Key of pool ${pool.toBase58()}`);
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
