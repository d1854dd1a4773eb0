import { getAssociatedTokenAddressSync, TOKEN_2022_PROGRAM_ID, TOKEN_PROGRAM_ID } from '@solana/spl-token';
import { PublicKey } from '@solana/web3.js';
import { CLMM_PROGRAM_ID, LOCK_PROGRAM_ID } from './programs.ts';
import { tickArrayStart } from './tick-arrays.ts';

/** Address of a fee configuration by its index. */
export function ammConfigAddress(index: number): PublicKey {
  return clmmAddress('amm_config', u16BigEndian(index));
}

/** Address of the pool of two mints, of which `token0` sorts first, under a fee configuration. */
export function poolAddressOf(ammConfig: PublicKey, token0: PublicKey, token1: PublicKey): PublicKey {
  return clmmAddress('pool', ammConfig.toBytes(), token0.toBytes(), token1.toBytes());
}

/** Address of a pool's token account of a mint. */
export function vaultAddress(pool: PublicKey, mint: PublicKey): PublicKey {
  return clmmAddress('pool_vault', pool.toBytes(), mint.toBytes());
}

/** Address of a pool's price history. */
export function observationAddress(pool: PublicKey): PublicKey {
  return clmmAddress('observation', pool.toBytes());
}

/** Address of the account that notes a pool's initialised tick arrays beyond those the pool itself notes. */
export function bitmapExtensionAddress(pool: PublicKey): PublicKey {
  return clmmAddress('pool_tick_array_bitmap_extension', pool.toBytes());
}

/** Address of the tick array that holds a tick. */
export function tickArrayAddress(pool: PublicKey, tick: number, tickSpacing: number): PublicKey {
  return clmmAddress('tick_array', pool.toBytes(), i32BigEndian(tickArrayStart(tick, tickSpacing)));
}

/** Address of a position by the mint of its NFT. */
export function personalPositionAddress(positionMint: PublicKey): PublicKey {
  return clmmAddress('position', positionMint.toBytes());
}

/** Address of what older positions of a range shared; the program only passes it through since 2025. */
export function protocolPositionAddress(pool: PublicKey, tickLower: number, tickUpper: number): PublicKey {
  return clmmAddress('position', pool.toBytes(), i32BigEndian(tickLower), i32BigEndian(tickUpper));
}

/** Where a wallet keeps the NFT of a position (Token-2022). */
export function positionNftAccount(positionMint: PublicKey, owner: PublicKey): PublicKey {
  return getAssociatedTokenAddressSync(positionMint, owner, true, TOKEN_2022_PROGRAM_ID);
}

/** Where a wallet keeps a Fee Key (classic SPL Token). */
export function feeKeyAccount(feeKeyMint: PublicKey, owner: PublicKey): PublicKey {
  return getAssociatedTokenAddressSync(feeKeyMint, owner, true, TOKEN_PROGRAM_ID);
}

/** The lock program's own authority, which owns every locked position's NFT. */
export const LOCK_AUTHORITY = find([Buffer.from('program_authority_seed')], LOCK_PROGRAM_ID);

/** Address of what the lock program notes of a locked position, by the mint of its Fee Key. */
export function lockedPositionAddress(feeKeyMint: PublicKey): PublicKey {
  return find([Buffer.from('locked_position'), feeKeyMint.toBytes()], LOCK_PROGRAM_ID);
}

function clmmAddress(name: string, ...seeds: Uint8Array[]): PublicKey {
  return find([Buffer.from(name), ...seeds], CLMM_PROGRAM_ID);
}

function find(seeds: Uint8Array[], program: PublicKey): PublicKey {
  return PublicKey.findProgramAddressSync(seeds, program)[0];
}

function u16BigEndian(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(value);
  return bytes;
}

function i32BigEndian(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
}
