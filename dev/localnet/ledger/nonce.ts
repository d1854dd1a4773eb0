import { createHash } from 'node:crypto';
import { fromBase58, toBase58 } from '../encoding/base58.ts';
import { type Account, type Address, SYSTEM_PROGRAM } from './account.ts';
import { ByteReader } from './byte-reader.ts';
import { isSigner } from './message-keys.ts';
import type { CompiledInstruction, WireMessage } from './wire-transaction.ts';

export const NONCE_BYTES = 80;
const NONCE_OFFSET = 40;
const ADVANCE_NONCE = 4;

export interface NonceState {
  readonly authority: Address;
  /** base58; in place of the blockhash. */
  readonly nonce: string;
  readonly lamportsPerSignature: bigint;
}

/** Null if not initialised. */
export function parseNonce(account: Account | null): NonceState | null {
  if (account?.owner !== SYSTEM_PROGRAM || account.data.length !== NONCE_BYTES) return null;
  const reader = new ByteReader(account.data);
  if (reader.u32() !== 1 || reader.u32() !== 1) return null;
  return {
    authority: toBase58(reader.take(32)),
    nonce: toBase58(reader.take(32)),
    lamportsPerSignature: reader.u64(),
  };
}

/** sha256("DURABLE_NONCE" ‖ blockhash), base58. */
export function durableNonce(blockhash: string): string {
  return toBase58(createHash('sha256').update('DURABLE_NONCE').update(fromBase58(blockhash)).digest());
}

function isAdvance(instruction: CompiledInstruction, message: WireMessage): boolean {
  const { data, programIdIndex } = instruction;
  return (
    message.staticKeys[programIdIndex] === SYSTEM_PROGRAM &&
    data.length >= 4 &&
    new ByteReader(data).u32() === ADVANCE_NONCE
  );
}

export function nonceAccountOf(message: WireMessage): Address | null {
  const first = message.instructions[0];
  const index = first?.accounts[0];
  if (!first || index === undefined || !isAdvance(first, message)) return null;
  return message.staticKeys[index] ?? null;
}

/** @param next the nonce that would follow */
export function nonceAllows(message: WireMessage, account: Account | null, next: string): boolean {
  const state = parseNonce(account);
  if (state?.nonce !== message.blockhash || state.nonce === next) return false;
  const signers = (message.instructions[0]?.accounts ?? []).filter((index) => isSigner(message, index));
  return signers.some((index) => message.staticKeys[index] === state.authority);
}

export function withNonce(account: Account, nonce: string): Account {
  const data = Buffer.from(account.data);
  data.set(fromBase58(nonce), NONCE_OFFSET);
  return { ...account, data };
}
