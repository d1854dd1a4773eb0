import { createAssociatedTokenAccountIdempotentInstruction, getAssociatedTokenAddressSync } from '@solana/spl-token';
import {
  Keypair,
  PublicKey,
  type TransactionInstruction,
  VersionedMessage,
  type VersionedTransaction,
} from '@solana/web3.js';
import { advanceNonce } from '../../../chain/claim/nonce-account.ts';
import { buildPayment } from '../../../chain/launch/payment.ts';
import { compileTransaction } from '../../../chain/transactions/compile.ts';
import { claimPurpose } from '../../../domain/claim/purpose.ts';
import { memoInstruction } from '../../../chain/transactions/memo.ts';
import { WALLETS_LEAST_PRICE } from '../../../chain/transactions/wallet-changes.ts';

/** The wallet that signs. */
export const holder = Keypair.generate();
/** Who signs beside it, for the platform: a launch's wallet, or the authority of a claim's nonce. */
export const coSigner = Keypair.generate();

const blockhash = Keypair.generate().publicKey.toBase58();
const collect: TransactionInstruction = {
  programId: Keypair.generate().publicKey,
  keys: [
    { pubkey: holder.publicKey, isSigner: true, isWritable: false },
    { pubkey: Keypair.generate().publicKey, isSigner: false, isWritable: true },
  ],
  data: Buffer.from([1, 2, 3]),
};

/** A payment as it is issued. */
export function issuedPayment(): VersionedTransaction {
  return buildPayment({
    quoteId: '0b6f2ad6-7d1c-4f6a-9a53-0f8f3b1c2d3e',
    creator: holder.publicKey,
    launchWallet: coSigner.publicKey,
    feeRecipient: null,
    lamports: 290_000_000n,
    blockhash,
    computeUnitPrice: 50_000n,
  });
}

/** A claim of the shape that is issued. */
export function issuedClaim(): VersionedTransaction {
  const mint = new PublicKey('So11111111111111111111111111111111111111112');
  const account = getAssociatedTokenAddressSync(mint, holder.publicKey);
  return compileTransaction({
    format: 'legacy',
    payer: holder.publicKey,
    blockhash,
    first: advanceNonce(Keypair.generate().publicKey, coSigner.publicKey),
    instructions: [
      createAssociatedTokenAccountIdempotentInstruction(holder.publicKey, account, holder.publicKey, mint),
      collect,
      memoInstruction(claimPurpose('0b6f2ad6-7d1c-4f6a-9a53-0f8f3b1c2d3e')),
    ],
    computeUnits: 300_000,
    computeUnitPrice: WALLETS_LEAST_PRICE,
  });
}

/** A copy of a message. */
export function copyOf({ message }: VersionedTransaction): VersionedMessage {
  return VersionedMessage.deserialize(message.serialize());
}
