import { createHmac, hkdfSync } from 'node:crypto';
import { PublicKey } from '@solana/web3.js';
import type { Purpose } from '../../domain/purpose.ts';
import type { KeyContext, LaunchSeed } from '../keys/launch-keys.ts';

/** The secret of all lanes of an environment, 32 bytes: what names steps and their once-addresses. Only the worker holds it. */
export type LaneSecret = Uint8Array & { readonly __laneSecret: unique symbol };

/** HKDF-SHA256 (RFC 5869) like the keys of launches, under a name of its own. */
export function deriveLaneSecret({ secret }: LaunchSeed, context: KeyContext): LaneSecret {
  const info = JSON.stringify(['slipway', context.environment, 'lanes']);
  return new Uint8Array(hkdfSync('sha256', secret, context.genesisHash, info, 32)) as LaneSecret;
}

/** Bits of a lane's value that name the step; those above them are its number. */
export const TAG_BITS = 40n;

/** Greatest number of a step: 24 bits, 58 years at 100,000 movements a day in 128 lanes. */
export const MAX_STEP_NUMBER = 2 ** 24 - 1;

/** What the tag of a step says, beside the lane's secret. */
export interface TaggedStep {
  /** Value of the lane before the step. With it in the tag two paths of signed steps never meet in one value. */
  readonly from: bigint;
  readonly purpose: Purpose;
  /** Digest of everything that follows the step in its transaction: the value says which version of a movement landed. */
  readonly digest: Uint8Array;
}

/** Value of a lane after a step: its number (24 bits) and 40 bits of HMAC-SHA256 over from, purpose and digest. */
export function stepValue(secret: LaneSecret, number: number, step: TaggedStep): bigint {
  if (!Number.isInteger(number) || number < 1 || number > MAX_STEP_NUMBER) {
    throw new RangeError(`a lane has no step ${number}`);
  }
  return (BigInt(number) << TAG_BITS) | tagOf(secret, step);
}

/** Number of the step that a lane's value was set by; 0 before the first one. */
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
 * An address that only the nth step of a lane names. Nobody can name it before that step is sent, so its history begins with
 * the step, however much strangers add afterwards.
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
