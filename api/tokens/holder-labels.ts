import { PublicKey } from '@solana/web3.js';
import { BURN_ADDRESSES } from '../../domain/burn-addresses.ts';

/** No ordinary wallets. */
export const HOLDER_LABELS = ['pool', 'creator', 'escrow', 'platform', 'burn', 'program'] as const;
export type HolderLabel = (typeof HOLDER_LABELS)[number];

export interface KnownHolders {
  readonly pool: string;
  readonly creator: string;
  readonly launchWallet: string | null;
  readonly treasury: string | undefined;
}

/** Null for an ordinary wallet. Off the curve a program holds it. */
export function labelOf(owner: PublicKey, known: KnownHolders): HolderLabel | null {
  const address = owner.toBase58();
  const named: Readonly<Partial<Record<string, HolderLabel>>> = {
    ...(known.treasury !== undefined && { [known.treasury]: 'platform' as const }),
    ...(known.launchWallet !== null && { [known.launchWallet]: 'escrow' as const }),
    [known.creator]: 'creator',
    [known.pool]: 'pool',
  };
  if (BURN_ADDRESSES.has(address)) return 'burn';
  return named[address] ?? (PublicKey.isOnCurve(owner.toBytes()) ? null : 'program');
}
