import type { LaunchTerms } from './terms.ts';

type Wished = Pick<LaunchTerms, 'wish' | 'payment' | 'devBuy' | 'airdrop'>;

/**
 * Returns where the terms exceed what the creator asked for, as text; undefined if they do not. Terms of an earlier
 * release state no wish.
 */
export function wishExcess({ wish, payment, devBuy, airdrop }: Wished): string | undefined {
  if (wish === undefined) return undefined;
  const { maxLamports } = wish;
  return (
    (maxLamports === undefined ? undefined : above('lamports of the payment', payment.lamports, maxLamports)) ??
    (devBuy ? devBuyExcess(devBuy, wish) : undefined) ??
    (airdrop ? above('raw units of the airdrop', airdrop.shareRaw, wish.airdrop?.shareRaw ?? '0') : undefined)
  );
}

function devBuyExcess(devBuy: NonNullable<Wished['devBuy']>, { devBuy: wished }: NonNullable<Wished['wish']>) {
  if (wished === undefined) return 'a dev buy was not asked for';
  if ('lamports' in wished) return above('lamports of the dev buy', devBuy.lamports, wished.lamports);
  return above('raw units of the dev buy', devBuy.tokensRaw, wished.tokensRaw);
}

function above(what: string, amount: string, most: string): string | undefined {
  return BigInt(amount) > BigInt(most) ? `${amount} ${what} are more than the ${most} that were asked for` : undefined;
}
