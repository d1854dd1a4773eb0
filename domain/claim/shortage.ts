import { solText } from '../amounts.ts';

/** Lamports. */
export interface ClaimNeed {
  /** base58. */
  readonly wallet: string;
  readonly held: bigint;
  readonly networkFee: bigint;
  /** Per opened token account; closing returns it. */
  readonly accountRents: readonly bigint[];
  /** Kept unless the wallet is emptied. */
  readonly walletRent: bigint;
}

/** Undefined if the wallet can pay. */
export function claimShortageOf({ wallet, held, networkFee, accountRents, walletRent }: ClaimNeed): string | undefined {
  const rents = accountRents.reduce((sum, rent) => sum + rent, 0n);
  const left = held - networkFee - rents;
  if (left === 0n || left >= walletRent) return undefined;
  const opened = `rent of ${accountRents.length === 1 ? 'the token account' : `${accountRents.length} token accounts`} that it opens`;
  const parts = [
    `${solText(networkFee)} of network fee`,
    ...(rents > 0n ? [`${solText(rents)} ${opened}`] : []),
    `${solText(walletRent)} rent of the wallet itself`,
  ];
  return `wallet ${wallet} holds ${solText(held)} and lacks ${solText(walletRent - left)}: the claim takes ${parts.join(', ')}`;
}
