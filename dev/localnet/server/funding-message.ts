import {
  createAssociatedTokenAccountIdempotentInstruction,
  createMintToInstruction,
  getAssociatedTokenAddressSync,
} from '@solana/spl-token';
import { PublicKey, SystemProgram, TransactionInstruction, TransactionMessage } from '@solana/web3.js';
import { type Address, MEMO_PROGRAM } from '../ledger/account.ts';

/** New units of a token for a wallet. */
export interface Minting {
  readonly mint: Address;
  /** Program that owns the mint. */
  readonly tokenProgram: Address;
  /** Raw units. */
  readonly amount: bigint;
}

/** What a wallet gets in one transaction of the faucet. */
export interface Funding {
  readonly wallet: Address;
  /** 0 for none. */
  readonly lamports: bigint;
  readonly tokens: readonly Minting[];
}

/** Where a message comes from: its only signer, its blockhash, and a memo that no other message has. */
export interface MessageOrigin {
  readonly faucet: Address;
  readonly blockhash: string;
  readonly memo: string;
}

/** The legacy message of a funding: SOL first, then each token into the wallet's associated account, made where it is missing. */
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
