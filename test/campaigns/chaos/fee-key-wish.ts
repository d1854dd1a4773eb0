import { Keypair, type PublicKey } from '@solana/web3.js';

/** Who is to get the creator's Fee Key of a launch. */
export interface FeeKeyWish {
  /** Fields of the prepare body. */
  readonly body: { readonly feeRecipient?: string };
  /** Null: a reward launch gives its creator none. */
  readonly feeKeyTo: PublicKey | null;
}

/** The creator, or where the key is `given` away a fresh wallet that the launch names as `feeRecipient`. */
export function feeKeyWish(creator: PublicKey, changes: object, isGiven: boolean): FeeKeyWish {
  const isReward = 'mode' in changes && changes.mode === 'reward';
  if (isReward && isGiven) throw new Error('a reward launch names no feeRecipient');
  if (isReward) return { body: {}, feeKeyTo: null };
  if (!isGiven) return { body: {}, feeKeyTo: creator };
  const recipient = Keypair.generate().publicKey;
  return { body: { feeRecipient: recipient.toBase58() }, feeKeyTo: recipient };
}
