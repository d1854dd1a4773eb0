import { deliveryFee, deliveryUnitPrice } from '../../../chain/airdrop/delivery-cost.ts';
import { REWARD_TOKEN_ACCOUNT_BYTES } from '../../../chain/tokens/reward-mint.ts';
import { BASE_LAMPORTS, MOST_PRICE, MOST_TIP_LAMPORTS } from '../../../domain/launch/launch-price.ts';
import * as launchAddresses from '../../../db/launch/launch-addresses.ts';
import { wishProblem } from '../../../domain/launch/terms-wish.ts';
import type { AirdropTerms, LaunchTerms, PaymentItem } from '../../../domain/launch/terms.ts';
import { AIRDROP_MAX_BPS, AIRDROP_RECIPIENTS, TOTAL_SUPPLY_RAW } from '../../../domain/token-facts.ts';
import type { LaunchDeps } from '../deps.ts';
import { assertSame, type Landed, ProposalRefusedError } from './refuse.ts';

/** Raw units. */
const AIRDROP_MAX_RAW = (TOTAL_SUPPLY_RAW * BigInt(AIRDROP_MAX_BPS)) / 10_000n;

/** `checkDevBuy` checks a dev buy's cost. */
export function checkItems({ payment, devBuy, airdrop }: LaunchTerms): void {
  const own: PaymentItem[] = [
    { item: 'launch', lamports: BASE_LAMPORTS.toString() },
    ...(devBuy ? [{ item: 'devBuy', lamports: devBuy.lamports } as const] : []),
    ...(airdrop ? [{ item: 'airdrop', lamports: airdrop.feeLamports } as const] : []),
  ];
  const spelt = (items: readonly PaymentItem[]) => items.map(({ item, lamports }) => `${item}:${lamports}`).join(' ');
  assertSame('price', spelt(payment.items), spelt(own));
  const sum = own.reduce((total, { lamports }) => total + BigInt(lamports), 0n);
  assertSame('payment of lamports', payment.lamports, sum.toString());
}

/** The creator is charged at most, and bought and dealt exactly, what was asked for. Quotes of 0.1.0 state no wish. */
export async function checkWish({ db }: Pick<LaunchDeps, 'db'>, terms: LaunchTerms): Promise<void> {
  const wish = await launchAddresses.wishOf(db, terms.quoteId);
  if (wish === undefined) {
    throw new ProposalRefusedError(
      `the database lacks what quote ${terms.quoteId} was asked for: it was restored; prepare the launch again`,
    );
  }
  const problem = wish && wishProblem(wish, terms);
  if (problem) throw new ProposalRefusedError(problem);
}

/** The base price covers the network fees up to these bounds. */
export function checkNetworkFees({ network }: LaunchTerms): void {
  if (!network) return;
  assertAtMost('tip of lamports', network.tipLamports, BigInt(MOST_TIP_LAMPORTS));
  assertAtMost('priority fee', network.computeUnitPrice, BigInt(MOST_PRICE));
}

export async function checkAirdrop(
  { builder }: LaunchDeps,
  { airdrop, fee }: LaunchTerms,
  landed: Landed,
): Promise<void> {
  if (!airdrop) return;
  if (fee.mode !== 'reward') throw new ProposalRefusedError('airdrops are part of reward launches only');
  assertAtMost('airdrop of raw units', airdrop.shareRaw, AIRDROP_MAX_RAW);
  assertSame('number of recipients', String(airdrop.recipients), String(AIRDROP_RECIPIENTS[airdrop.tier]));
  if (BigInt(airdrop.shareRaw) < BigInt(airdrop.recipients)) {
    throw new ProposalRefusedError(`an airdrop of ${airdrop.shareRaw} raw units leaves a recipient without any`);
  }
  // Today's rent says nothing about what was paid before.
  if (landed !== 'nothing') return;
  const rentLamports = await builder.rentFor(REWARD_TOKEN_ACCOUNT_BYTES);
  assertSame('delivery fee', airdrop.feeLamports, feeOf(airdrop, rentLamports).toString());
}

function feeOf({ recipients, computeUnitPrice }: AirdropTerms, rentLamports: bigint): bigint {
  const price = deliveryUnitPrice(BigInt(computeUnitPrice));
  assertSame('priority fee of the delivery', computeUnitPrice, price.toString());
  return deliveryFee({ recipients, rentLamports, computeUnitPrice: price });
}

function assertAtMost(what: string, proposed: string, most: bigint): void {
  if (BigInt(proposed) > most)
    throw new ProposalRefusedError(`${what} ${proposed} was proposed, at most ${most} is right`);
}
