import {
  createAssociatedTokenAccountIdempotentInstruction,
  createMintToInstruction,
  getAssociatedTokenAddressSync,
} from '@solana/spl-token';
import { PublicKey, SystemProgram, TransactionInstruction, TransactionMessage } from '@solana/web3.js';
import { type Address, MEMO_PROGRAM } from '../ledger/account.ts';

export interface Minting {
  readonly mint: Address;
  readonly tokenProgram: Address;
  readonly amount: bigint;
}

export interface Funding {
  readonly wallet: Address;
  /** May be 0. */
  readonly lamports: bigint;
  readonly tokens: readonly Minting[];
}

/** `faucet` is the only signer; `memo` must be unique. */
export interface MessageOrigin {
  readonly faucet: Address;
  readonly blockhash: string;
  readonly memo: string;
}

/** Legacy: SOL, then each token into the associated account, created if missing. */
export function fundingMessage(funding: Funding, { faucet, blockhash, memo }: MessageOrigin): Uint8Array {
  const [payerKey, wallet] = [new PublicKey(faucet), new PublicKey(funding.wallet)];
  const { lamports } = funding;
  const instructions = [
    ...(lamports > 0n ? [SystemProgram.transfer({ fromPubkey: payerKey, toPubkey: wallet, lamports })] : []),
    ...funding.tokens.flatMap((minting) => mintingInstructions(minting, payerKey, wallet)),
    new TransactionInstruction({ programId: new PublicKey(MEMO_PROGRAM), keys: [], data: Buffer.from(memo) }),
  ];
  return new TransactionMessage({ payerKey, recentBlockhash: blockhash, instructions })
    .compileToLegacyMessage()
    .serialize();
}

function mintingInstructions(minting: Minting, faucet: PublicKey, wallet: PublicKey): TransactionInstruction[] {
  const [mint, program] = [new PublicKey(minting.mint), new PublicKey(minting.tokenProgram)];
  const account = getAssociatedTokenAddressSync(mint, wallet, true, program);
  return [
    createAssociatedTokenAccountIdempotentInstruction(faucet, account, wallet, mint, program),
    createMintToInstruction(mint, account, faucet, minting.amount, [], program),
  ];
}
