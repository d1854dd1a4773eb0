export const AIRDROP_SOURCES = ['quote-holders'] as const;
export type AirdropSource = (typeof AIRDROP_SOURCES)[number];

/**
 * Maximum recipients of a batch that always fit one packet beside the lane step, even with memos. A transaction may
 * execute 64 instructions, inner ones included: a transfer is one; opening an account up to seven, where a stranger
 * sent lamports.
 */
export const RECIPIENTS_PER_BATCH = 6;

export interface AirdropShare {
  /** In the frozen ranking, from 0. */
  readonly position: number;
  /** base58 */
  readonly wallet: string;
  /** Before transfer tax. */
  readonly amountRaw: bigint;
  /** From 1. */
  readonly batch: number;
}

/**
 * Divides equally; the first in the ranking get the remainder, one raw unit each.
 * @throws RangeError for less than a raw unit each
 */
export function planAirdrop(shareRaw: bigint, wallets: readonly string[]): AirdropShare[] {
  const count = BigInt(wallets.length);
  if (count === 0n || shareRaw < count) {
    throw new RangeError(`${shareRaw} raw units cannot be shared among ${wallets.length} wallets`);
  }
  const [each, rest] = [shareRaw / count, shareRaw % count];
  return wallets.map((wallet, position) => ({
    position,
    wallet,
    amountRaw: each + (BigInt(position) < rest ? 1n : 0n),
    batch: 1 + Math.floor(position / RECIPIENTS_PER_BATCH),
  }));
}

export function batchCount(recipients: number): number {
  return Math.ceil(recipients / RECIPIENTS_PER_BATCH);
}
