import { PublicKey } from '@solana/web3.js';

/** What a holder is when it is no ordinary wallet. */
export type HolderLabel = 'pool' | 'creator' | 'escrow' | 'platform' | 'burn' | 'program';

/** Addresses that hold tokens of a launch for a reason. */
export interface KnownHolders {
  readonly pool: string;
  readonly creator: string;
  readonly launchWallet: string | null;
  readonly treasury: string | undefined;
}

/** Whose key nobody has: the System program, and the address that exists to send tokens to for good. */
const BURN: ReadonlySet<string> = new Set([
  '11111111111111111111111111111111',
  '1nc1nerator11111111111111111111111111111111',
]);

/** The label of an owner of tokens; null for an ordinary wallet. An address off the curve has no key: a program holds it. */
export function labelOf(owner: PublicKey, known: KnownHolders): HolderLabel | null {
  const address = owner.toBase58();
  const named: Readonly<Partial<Record<string, HolderLabel>>> = {
    ...(known.treasury !== undefined && { [known.treasury]: 'platform' as const }),
    ...(known.launchWallet !== null && { [known.launchWallet]: 'escrow' as const }),
    [known.creator]: 'creator',
    [known.pool]: 'pool',
  };
  if (BURN.has(address)) return 'burn';
  return named[address] ?? (PublicKey.isOnCurve(owner.toBytes()) ? null : 'program');
}
