import { readUint, toBase58 } from '../solana/bytes.ts';
import { isTokenProgram } from '../solana/programs.ts';
import type { AccountState } from './chain.ts';

/** A token account (spl-token, state.rs). */
export interface TokenAccount {
  readonly mint: string;
  readonly owner: string;
  readonly raw: bigint;
  /** May move its tokens. */
  readonly delegate: string | null;
  /** May close it in place of its owner. */
  readonly closeAuthority: string | null;
}

const LAST_BYTE = 165;

/** Null where it is none. */
export function readTokenAccount({ program, data }: AccountState): TokenAccount | null {
  if (!isTokenProgram(program) || data.length < LAST_BYTE) return null;
  const address = (at: number) => toBase58(data.subarray(at, at + 32));
  const optional = (at: number) => (readUint(data, at, 4) === 0n ? null : address(at + 4));
  return {
    mint: address(0),
    owner: address(32),
    raw: readUint(data, 64, 8),
    delegate: optional(72),
    closeAuthority: optional(129),
  };
}
