import { createTransferCheckedInstruction, TOKEN_PROGRAM_ID } from '@solana/spl-token';
import { PublicKey, type TransactionInstruction } from '@solana/web3.js';
import type { AirdropShare } from '../../domain/airdrop/airdrop.ts';
import { createTokenAccount, tokenAccountOf } from '../tokens/associated-account.ts';
import type { Stamp } from '../lanes/stamp.ts';
import type { TransactionSigner } from '../signers/signer.ts';
import { compileTransaction, type SignedTransaction } from '../transactions/compile.ts';
import { memoInstruction } from '../transactions/memo.ts';
import { signMovement } from '../transactions/purposed.ts';
import { deliveryComputeUnits } from './delivery-cost.ts';
import type { TokenInfo } from '../tokens/token.ts';

export interface DeliveryRequest {
  readonly stamp: Stamp;
  /** At most `RECIPIENTS_PER_BATCH`. */
  readonly shares: readonly Pick<AirdropShare, 'wallet' | 'amountRaw'>[];
  readonly token: TokenInfo;
  /** Holds the tokens; pays fee and accounts. */
  readonly escrow: TransactionSigner;
  readonly computeUnitPrice: bigint;
}

/**
 * Memo before each transfer of a Token-2022 token: a recipient may require one, and could switch that on and off between
 * the building and the landing of its batch. Six memos of three bytes just fit.
 */
const MEMO_FOR_RECIPIENT = 'air';

/** Reads nothing: no recipient's account changes what is signed. */
export async function buildDelivery(request: DeliveryRequest): Promise<SignedTransaction> {
  const { stamp, shares, escrow, computeUnitPrice } = request;
  const { token } = request;
  const from = tokenAccountOf(token, escrow.publicKey);
  const gifts = shares.map(({ wallet, amountRaw }) => {
    const owner = new PublicKey(wallet);
    return { owner, amountRaw, from, to: tokenAccountOf(token, owner) };
  });
  const transaction = compileTransaction({
    payer: escrow.publicKey,
    blockhash: stamp.blockhash,
    computeUnitPrice,
    computeUnits: deliveryComputeUnits(shares.length),
    instructions: stamp.mark(gifts.flatMap((gift) => sendGift(request, gift))),
  });
  return signMovement(stamp, transaction, [escrow]);
}

interface Gift {
  readonly owner: PublicKey;
  readonly amountRaw: bigint;
  /** Token accounts. */
  readonly from: PublicKey;
  readonly to: PublicKey;
}

function sendGift({ token, escrow }: DeliveryRequest, { owner, amountRaw, from, to }: Gift): TransactionInstruction[] {
  const { mint, decimals, tokenProgram } = token;
  return [
    createTokenAccount(escrow.publicKey, token, owner, to),
    ...(tokenProgram.equals(TOKEN_PROGRAM_ID) ? [] : [memoInstruction(MEMO_FOR_RECIPIENT)]),
    createTransferCheckedInstruction(from, mint, to, escrow.publicKey, amountRaw, decimals, [], tokenProgram),
  ];
}
