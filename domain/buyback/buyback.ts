import { BigNumber } from 'bignumber.js';
import type { BurnKind } from '../burn.ts';
import type { Purpose } from '../purpose.ts';

/** What revenue buys and burns: the platform token, or the ranked tokens. */
export type BuybackKind = Exclude<BurnKind, 'fee-sweep'>;

/** Both kinds. */
export const BUYBACK_KINDS = ['buyback', 'flywheel'] as const satisfies readonly BuybackKind[];

/**
 * Life of one purchase: `planned` until its swap is final, `bought` until what it brought is burned, then `done`. Where the
 * market allows no swap at present it stays planned, and its budget is set anew by the next round.
 */
export type BuybackState = 'planned' | 'bought' | 'done';

/**
 * Id of a purchase. It follows from what is bought and how often it was before: after the database was restored the next
 * purchase has the number of the first one that the database does not know, and is found on the chain by it.
 */
export function buybackId(kind: BuybackKind, mint: string, number: number): string {
  return `${kind}-${mint}-${number}`;
}

/** Purpose and memo of a purchase's swap. */
export function buybackSwapPurpose(id: string): Purpose {
  return `buyback/${id}/swap` as Purpose;
}

/** Purpose and memo of the nth burn of what a purchase brought, from 1. */
export function buybackBurnPurpose(id: string, n: number): Purpose {
  return `buyback/${id}/burn/${n}` as Purpose;
}

/**
 * Divides an amount in raw units by weights, plain decimals above zero, each share rounded down: together never more than the
 * amount.
 */
export function divideByWeight(amountRaw: bigint, weights: readonly string[]): bigint[] {
  const sum = BigNumber.sum(0, ...weights);
  const amount = new BigNumber(amountRaw.toString());
  const shareOf = (weight: string) => amount.times(weight).idiv(sum);
  return weights.map((weight) => BigInt(shareOf(weight).toFixed()));
}
