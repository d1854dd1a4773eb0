import { solText } from '../amounts.ts';

/** Lamports. */
export interface PaymentNeed {
  /** base58. */
  readonly wallet: string;
  readonly held: bigint;
  readonly payment: bigint;
  readonly networkFee: bigint;
  /** Kept unless the account is emptied. */
  readonly rent: bigint;
}

/** Matches, by SQL's `like`, every text that says what a creator's wallet lacks, and no other reason of a launch's end. */
export const SHORTAGE_PATTERN = 'wallet % holds %; the payment takes %';

/** Undefined if the wallet can pay. It may end empty; any rest must cover its rent. */
export function shortageOf({ wallet, held, payment, networkFee, rent }: PaymentNeed): string | undefined {
  const left = held - payment - networkFee;
  if (left === 0n || left >= rent) return undefined;
  const takes = `wallet ${wallet} holds ${solText(held)}; the payment takes ${solText(payment)} and its network fee ${solText(networkFee)}`;
  if (left < 0n)
    return `${takes}, so ${solText(-left)} is missing, or ${solText(rent - left)} where the wallet is to be kept`;
  return `${takes}, and of what stays ${solText(rent)} is rent of the wallet itself, so ${solText(rent - left)} is missing`;
}
