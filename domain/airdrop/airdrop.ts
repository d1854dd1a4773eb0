/** Where the recipients of an airdrop come from. */
export const AIRDROP_SOURCES = ['quote-holders'] as const;
export type AirdropSource = (typeof AIRDROP_SOURCES)[number];

/**
 * Recipients of one delivery transaction: as many as fit one packet beside the step of its lane although all of them ask for a
 * memo. A transaction may execute 64 instructions, inner ones included. Opening an account at an address that a stranger sent
 * lamports to takes seven of them, the transfer one; so six recipients always fit, whatever strangers do.
 */
export const RECIPIENTS_PER_BATCH = 6;

/** One recipient's place in the plan of an airdrop. */
export interface AirdropShare {
  /** Place in the frozen ranking, from 0. */
  readonly position: number;
  /** base58 */
  readonly wallet: string;
  /** What is sent, raw units; a transfer tax comes off it. */
  readonly amountRaw: bigint;
  /** Number of the transaction that delivers it, from 1. */
  readonly batch: number;
}

/**
 * Who gets how much, and in which transaction. Everybody gets the same; what cannot be shared equally goes to the first of the
 * ranking, one raw unit each, so that the amounts add up to the share exactly. Throws a RangeError when there is not a raw
 * unit for each.
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

/** Number of transactions that deliver to so many recipients. */
export function batchCount(recipients: number): number {
  return Math.ceil(recipients / RECIPIENTS_PER_BATCH);
}
