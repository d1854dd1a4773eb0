import { AccountLayout } from '@solana/spl-token';
import type { Connection, PublicKey } from '@solana/web3.js';
import { OUTERMOST_TICK } from '../opening.ts';
import { decodeLock, LOCK_OWNER_OFFSET, LOCK_POOL_OFFSET, LOCKED_POSITION } from './accounts/locked-position.ts';
import {
  decodePersonalPosition,
  PERSONAL_POSITION,
  type PersonalPosition,
  POSITION_POOL_OFFSET,
} from './accounts/personal-position.ts';
import { positionNftAccount } from './addresses.ts';

export type Commitment = 'confirmed' | 'finalized';

export interface LaunchPositions {
  readonly liquidity: bigint;
  readonly tickLower: number;
  readonly tickUpper: number;
  /** Can never change. */
  readonly locked: boolean;
}

/** True if the positions reach from the opening to the highest tick, as those of token0 do. */
export function baseIsToken0(positions: Pick<LaunchPositions, 'tickUpper'>): boolean {
  return positions.tickUpper === OUTERMOST_TICK;
}

/** Finds both positions of the pool's creator wallet, held or locked. Null unless there are two. */
export async function findLaunchPositions(
  connection: Connection,
  pool: PublicKey,
  creator: PublicKey,
  commitment: Commitment,
): Promise<LaunchPositions | null> {
  const locked = await lockedPositions(connection, pool, creator, commitment);
  if (locked.length >= 2) return sumOf(locked, true);
  return sumOf([...locked, ...(await heldPositions(connection, pool, creator, commitment))], false);
}

function sumOf(positions: readonly PersonalPosition[], locked: boolean): LaunchPositions | null {
  const [first, second] = positions;
  if (!first || !second) return null;
  const { tickLower, tickUpper } = first;
  const inRange = positions.filter((each) => each.tickLower === tickLower && each.tickUpper === tickUpper);
  return { liquidity: inRange.reduce((sum, { liquidity }) => sum + liquidity, 0n), tickLower, tickUpper, locked };
}

async function lockedPositions(
  connection: Connection,
  pool: PublicKey,
  creator: PublicKey,
  commitment: Commitment,
): Promise<PersonalPosition[]> {
  const locks = await connection.getProgramAccounts(LOCKED_POSITION.program, {
    commitment,
    filters: [
      { dataSize: LOCKED_POSITION.bytes },
      { memcmp: { offset: LOCK_OWNER_OFFSET, bytes: creator.toBase58() } },
      { memcmp: { offset: LOCK_POOL_OFFSET, bytes: pool.toBase58() } },
    ],
  });
  const addresses = locks.map(({ pubkey, account }) => decodeLock(pubkey, account).position);
  const accounts = await connection.getMultipleAccountsInfo(addresses, commitment);
  return addresses.map((address, index) => decodePersonalPosition(address, accounts[index] ?? null));
}

async function heldPositions(
  connection: Connection,
  pool: PublicKey,
  creator: PublicKey,
  commitment: Commitment,
): Promise<PersonalPosition[]> {
  const found = await connection.getProgramAccounts(PERSONAL_POSITION.program, {
    commitment,
    filters: [
      { dataSize: PERSONAL_POSITION.bytes },
      { memcmp: { offset: POSITION_POOL_OFFSET, bytes: pool.toBase58() } },
    ],
  });
  const positions = found.map(({ pubkey, account }) => decodePersonalPosition(pubkey, account));
  const nfts = positions.map(({ nftMint }) => positionNftAccount(nftMint, creator));
  const accounts = await connection.getMultipleAccountsInfo(nfts, commitment);
  return positions.filter((_, index) => holdsOne(accounts[index]?.data));
}

export function holdsOne(data: Buffer | undefined): boolean {
  return data !== undefined && AccountLayout.decode(data.subarray(0, AccountLayout.span)).amount === 1n;
}
