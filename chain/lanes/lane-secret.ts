import { createHmac, hkdfSync } from 'node:crypto';
import { PublicKey } from '@solana/web3.js';
import type { Purpose } from '../../domain/purpose.ts';
import type { KeyContext, LaunchSeed } from '../keys/launch-keys.ts';

/** 32 bytes; names steps and once-addresses. Only the worker holds it. */
export type LaneSecret = Uint8Array & { readonly __laneSecret: unique symbol };

/** Derives by HKDF-SHA256 (RFC 5869). */
export function deriveLaneSecret({ secret }: LaunchSeed, context: KeyContext): LaneSecret {
  const info = JSON.stringify(['slipway', context.environment, 'lanes']);
  return new Uint8Array(hkdfSync('sha256', secret, context.genesisHash, info, 32)) as LaneSecret;
}

/** Low bits identify the step; its number is above. */
export const TAG_BITS = 40n;

/** 58 years at 100,000 movements a day in 128 lanes. */
export const MAX_STEP_NUMBER = 2 ** 24 - 1;

export interface TaggedStep {
  /** Two paths of signed steps never meet in one value. */
  readonly from: bigint;
  readonly purpose: Purpose;
  /** Of everything after the step: the value says which version landed. */
  readonly digest: Uint8Array;
}

/** Combines the number (24 bits) and 40 bits of HMAC-SHA256 over from, purpose and digest. */
export function stepValue(secret: LaneSecret, number: number, step: TaggedStep): bigint {
  if (!Number.isInteger(number) || number < 1 || number > MAX_STEP_NUMBER) {
    throw new RangeError(`a lane has no step ${number}`);
  }
  return (BigInt(number) << TAG_BITS) | tagOf(secret, step);
}

/** Returns the step's number; 0 before the first step. */
export function numberOf(value: bigint): number {
  return Number(value >> TAG_BITS);
}

function tagOf(secret: LaneSecret, { from, purpose, digest }: TaggedStep): bigint {
  const mac = createHmac('sha256', secret).update('tag').update(u64(from));
  const name = Buffer.from(purpose, 'utf8');
  const tag = mac
    .update(u64(BigInt(name.length)))
    .update(name)
    .update(digest)
    .digest();
  return BigInt(`0x${tag.subarray(0, Number(TAG_BITS) / 8).toString('hex')}`);
}

/**
 * Account that only the nth step names, secret until then: its history begins with the step, whatever strangers add
 * later.
 */
export function onceAddress(secret: LaneSecret, lane: number, number: number): PublicKey {
  const mac = createHmac('sha256', secret)
    .update('once')
    .update(u64(BigInt(lane)))
    .update(u64(BigInt(number)));
  return new PublicKey(mac.digest());
}

function u64(value: bigint): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(value);
  return bytes;
}
