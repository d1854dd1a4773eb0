import type { AccountMeta, PublicKey } from '@solana/web3.js';

/** An account that an instruction reads. */
export function readonly(pubkey: PublicKey): AccountMeta {
  return { pubkey, isSigner: false, isWritable: false };
}

/** An account that an instruction changes. */
export function writable(pubkey: PublicKey): AccountMeta {
  return { pubkey, isSigner: false, isWritable: true };
}

/** A wallet that signs. */
export function signer(pubkey: PublicKey): AccountMeta {
  return { pubkey, isSigner: true, isWritable: false };
}

/** A wallet or new account that signs and changes. */
export function writableSigner(pubkey: PublicKey): AccountMeta {
  return { pubkey, isSigner: true, isWritable: true };
}
