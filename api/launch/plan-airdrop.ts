import { deliveryFee, deliveryUnitPrice } from '../../chain/airdrop/delivery-cost.ts';
import { freezeRecipients } from '../../chain/airdrop/recipient-hash.ts';
import type { NetworkFees } from '../../chain/network-fees/network-fees.ts';
import { REWARD_TOKEN_ACCOUNT_BYTES } from '../../chain/tokens/reward-mint.ts';
import type { PairRecord } from '../../db/pairs.ts';
import * as recipientSets from '../../db/airdrop/recipient-sets.ts';
import { tokensOfPercent } from '../../domain/launch/dev-buy.ts';
import { AppError } from '../../domain/errors.ts';
import type { Asker } from '../../domain/places.ts';
import { AIRDROP_RECIPIENTS, type AirdropTier } from '../../domain/token-facts.ts';
import type { AirdropTerms } from '../../domain/launch/terms.ts';
import type { ApiDeps } from '../deps.ts';
import type { PrepareBody } from './prepare-body.ts';

type Wish = Pick<PrepareBody, 'mode' | 'airdropPercent' | 'airdropTier' | 'airdropSource'>;

export interface AirdropWish {
  readonly tier: AirdropTier;
  readonly shareRaw: bigint;
}

export function wantsAirdrop({ airdropPercent, airdropTier, airdropSource }: Wish): boolean {
  return [airdropPercent, airdropTier, airdropSource].some((field) => field !== undefined);
}

/**
 * Null without one.
 *
 * @throws AppError `invalid_request` for fields that do not fit together
 */
export function parseAirdrop(wish: Wish): AirdropWish | null {
  if (!wantsAirdrop(wish)) return null;
  const { mode, airdropPercent, airdropTier: tier = 'top100' } = wish;
  if (mode !== 'reward') throw new AppError('invalid_request', 'airdrops are part of reward launches only');
  if (airdropPercent === undefined) {
    throw new AppError('invalid_request', 'airdropTier and airdropSource need an airdropPercent');
  }
  const shareRaw = tokensOfPercent(airdropPercent);
  if (shareRaw >= BigInt(AIRDROP_RECIPIENTS[tier])) return { tier, shareRaw };
  throw new AppError('invalid_request', `airdropPercent ${airdropPercent} is too small to give each wallet a raw unit`);
}

export interface AirdropMarket {
  readonly pair: PairRecord;
  readonly asker: Asker;
  /** Gets tokens only by a dev buy; base58. */
  readonly creator: string;
  readonly network: NetworkFees;
}

/** @throws AppError `invalid_request` for too few eligible holders */
export async function planAirdrop(
  deps: ApiDeps,
  { tier, shareRaw }: AirdropWish,
  { pair, creator, network, asker }: AirdropMarket,
): Promise<AirdropTerms> {
  const { launching, db } = deps;
  const wanted = AIRDROP_RECIPIENTS[tier];
  const { slot, wallets } = await launching.holders.snapshot(pair, tier, asker);
  const recipients = wallets.filter((wallet) => wallet !== creator).slice(0, wanted);
  if (recipients.length < wanted) throw tooFew(pair, tier, wanted, recipients.length);
  const source = 'quote-holders';
  const frozen = freezeRecipients({ version: 1, source, tier, quoteMint: pair.mint, slot, recipients });
  await recipientSets.keep(db, frozen.hash, frozen.document);
  const computeUnitPrice = deliveryUnitPrice(network.computeUnitPrice);
  const rentLamports = await launching.rpc.agreedRent(REWARD_TOKEN_ACCOUNT_BYTES);
  return {
    source,
    tier,
    shareRaw: shareRaw.toString(),
    recipients: wanted,
    recipientsHash: frozen.hash,
    snapshotSlot: slot,
    computeUnitPrice: computeUnitPrice.toString(),
    feeLamports: deliveryFee({ recipients: wanted, rentLamports, computeUnitPrice }).toString(),
  };
}

function tooFew({ symbol }: PairRecord, tier: AirdropTier, wanted: number, found: number): AppError {
  return new AppError(
    'invalid_request',
    `airdropTier ${tier} needs ${wanted} eligible holders of ${symbol}, and it has ${found}; choose a smaller tier or another pair`,
  );
}
