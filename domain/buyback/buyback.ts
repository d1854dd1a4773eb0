import { BigNumber } from 'bignumber.js';
import type { BurnKind } from '../burn.ts';
import type { Purpose } from '../purpose.ts';

/** Purchases with revenue: of the platform token, or of ranked tokens. */
export type BuybackKind = Exclude<BurnKind, 'fee-sweep'>;

export const BUYBACK_KINDS = ['buyback', 'flywheel'] as const satisfies readonly BuybackKind[];

/**
 * `planned` until its swap is final, `bought` until the burn, then `done`. While the market allows no swap the next
 * round sets its budget again.
 */
export type BuybackState = 'planned' | 'bought' | 'done';

/** The parts of a purchase that are booked. */
export const BOOKED: Readonly<Record<BuybackState, { readonly swap: boolean; readonly burn: boolean }>> = {
  planned: { swap: false, burn: false },
  bought: { swap: true, burn: false },
  done: { swap: true, burn: true },
};

/**
 * Makes the id from token and number: after a restore the next number is the first unknown one, so a lost purchase is
 * found on the chain.
 */
export function buybackId(kind: BuybackKind, mint: string, number: number): string {
  return `${kind}-${mint}-${number}`;
}

export function buybackSwapPurpose(id: string): Purpose {
  return `buyback/${id}/swap` as Purpose;
}

/** Purpose and memo of the nth burn, from 1. */
export function buybackBurnPurpose(id: string, n: number): Purpose {
  return `buyback/${id}/burn/${n}` as Purpose;
}

/** Weights above zero; each share rounded down. */
export function divideByWeight(amountRaw: bigint, weights: readonly string[]): bigint[] {
  const sum = BigNumber.sum(0, ...weights);
  const amount = new BigNumber(amountRaw.toString());
  const shareOf = (weight: string) => amount.times(weight).idiv(sum);
  return weights.map((weight) => BigInt(shareOf(weight).toFixed()));
}
