import { getAssociatedTokenAddressSync, TOKEN_2022_PROGRAM_ID, TOKEN_PROGRAM_ID } from '@solana/spl-token';
import { PublicKey } from '@solana/web3.js';
import { CLMM_PROGRAM_ID, LOCK_PROGRAM_ID } from './programs.ts';
import { tickArrayStart } from './tick-arrays.ts';

export function ammConfigAddress(index: number): PublicKey {
  return clmmAddress('amm_config', u16BigEndian(index));
}

/** Derives the pool's address; `token0` must sort first. */
export function poolAddressOf(ammConfig: PublicKey, token0: PublicKey, token1: PublicKey): PublicKey {
  return clmmAddress('pool', ammConfig.toBytes(), token0.toBytes(), token1.toBytes());
}

export function vaultAddress(pool: PublicKey, mint: PublicKey): PublicKey {
  return clmmAddress('pool_vault', pool.toBytes(), mint.toBytes());
}

export function observationAddress(pool: PublicKey): PublicKey {
  return clmmAddress('observation', pool.toBytes());
}

export function bitmapExtensionAddress(pool: PublicKey): PublicKey {
  return clmmAddress('pool_tick_array_bitmap_extension', pool.toBytes());
}

export function tickArrayAddress(pool: PublicKey, tick: number, tickSpacing: number): PublicKey {
  return clmmAddress('tick_array', pool.toBytes(), i32BigEndian(tickArrayStart(tick, tickSpacing)));
}

export function personalPositionAddress(positionMint: PublicKey): PublicKey {
  return clmmAddress('position', positionMint.toBytes());
}

/** Derives the protocol position; since 2025 the program only passes it through. */
export function protocolPositionAddress(pool: PublicKey, tickLower: number, tickUpper: number): PublicKey {
  return clmmAddress('position', pool.toBytes(), i32BigEndian(tickLower), i32BigEndian(tickUpper));
}

export function positionNftAccount(positionMint: PublicKey, owner: PublicKey): PublicKey {
  return getAssociatedTokenAddressSync(positionMint, owner, true, TOKEN_2022_PROGRAM_ID);
}

export function feeKeyAccount(feeKeyMint: PublicKey, owner: PublicKey): PublicKey {
  return getAssociatedTokenAddressSync(feeKeyMint, owner, true, TOKEN_PROGRAM_ID);
}

/** Owner of every locked position's NFT. */
export const LOCK_AUTHORITY = find([Buffer.from('program_authority_seed')], LOCK_PROGRAM_ID);

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
