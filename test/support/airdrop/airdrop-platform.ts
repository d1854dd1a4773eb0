import { getTransferFeeAmount, TOKEN_2022_PROGRAM_ID, unpackAccount } from '@solana/spl-token';
import * as airdrops from '../../../db/airdrop/airdrops.ts';
import { holderAt } from '../../../dev/seed/holders.ts';
import { LABELLED_WALLETS } from '../../../dev/seed/labelled-wallets.ts';
import { SEED_PAIRS } from '../../../dev/seed/local-pairs.ts';
import { airdropPurpose, airdropSealPurpose, emptyingPurpose } from '../../../domain/purpose.ts';
import { landedMovements } from '../lanes/landed.ts';
import { eventually } from '../platform/eventually.ts';
import type { Platform } from '../platform/platform.ts';

/** The quote token with 6,000 holders. */
export const HELD = SEED_PAIRS.find(({ holders }) => holders > 0)!;

/** Body of a reward launch with an airdrop to the first hundred. */
export const AIRDROP = { mode: 'reward', quoteMint: HELD.mint.toBase58(), airdropPercent: 10 } as const;

/** The first holders of the seed that no label and no program excludes, greatest first (base58). */
export function expectedRecipients(count: number): string[] {
  const excluded = new Set(LABELLED_WALLETS.map(({ rank }) => rank));
  const ranks = Array.from({ length: HELD.holders }, (_, rank) => rank).filter((rank) => !excluded.has(rank));
  return ranks.slice(0, count).map((rank) => holderAt(rank).toBase58());
}

/** One token account, as the chain has it. */
export interface Held {
  readonly address: string;
  readonly owner: string;
  readonly raw: bigint;
  /** Transfer tax that was withheld of what came in. */
  readonly withheldRaw: bigint;
}

/** Every account of a reward token, read from the chain alone. */
export async function accountsOf({ connection }: Pick<Platform, 'connection'>, mint: string): Promise<Held[]> {
  const found = await connection.getProgramAccounts(TOKEN_2022_PROGRAM_ID, {
    commitment: 'confirmed',
    filters: [{ memcmp: { offset: 0, bytes: mint } }],
  });
  return found.map(({ pubkey, account }) => {
    const { owner, amount, ...rest } = unpackAccount(pubkey, account, TOKEN_2022_PROGRAM_ID);
    const withheldRaw = getTransferFeeAmount({ owner, amount, ...rest })?.withheldAmount ?? 0n;
    return { address: pubkey.toBase58(), owner: owner.toBase58(), raw: amount, withheldRaw };
  });
}

/** Waits until the books say that an airdrop is delivered. */
export function untilDelivered({ db }: Platform, { quoteId }: { readonly quoteId: string }) {
  const ask = async () => {
    const airdrop = await airdrops.byQuoteId(db, quoteId);
    return airdrop?.deliveredAt ? airdrop : null;
  };
  return eventually(ask, `delivery of airdrop ${quoteId}`);
}

/**
 * Numbers of the batches that the chain has in the escrow's history, oldest first. Throws unless one seal of the list
 * stands before the first of them.
 */
export async function deliveredBatches(platform: Platform, launchWallet: string, quoteId: string): Promise<number[]> {
  const batches = Array.from({ length: 200 }, (_, index) => airdropPurpose(quoteId, index + 1));
  const [seal, emptying] = [airdropSealPurpose(quoteId), emptyingPurpose(quoteId)];
  const landed = await landedMovements(platform, launchWallet, [seal, ...batches, emptying]);
  const [first, ...others] = landed;
  if (first !== undefined && (first !== seal || others.includes(seal)))
    throw new Error(`the airdrop was not sealed once before its first batch: ${landed.join(', ')}`);
  return others.filter((purpose) => purpose !== emptying).map((purpose) => Number(purpose.split('/')[2]));
}
