import { createTransferCheckedInstruction } from '@solana/spl-token';
import { type AccountInfo, PublicKey, type TransactionInstruction } from '@solana/web3.js';
import type { AirdropShare } from '../../domain/airdrop/airdrop.ts';
import { demandsMemos } from '../tokens/altered-account.ts';
import { createTokenAccount, tokenAccountOf } from '../tokens/associated-account.ts';
import type { Stamp } from '../lanes/stamp.ts';
import type { Rpc } from '../rpc/rpc.ts';
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

export type DeliveryRpc = Pick<Rpc, 'accountsByEndpoint'>;

/** Memo for accounts that require one. Six memos of three bytes just fit. */
const MEMO_FOR_RECIPIENT = 'air';

export async function buildDelivery(rpc: DeliveryRpc, request: DeliveryRequest): Promise<SignedTransaction> {
  const { stamp, shares, escrow, computeUnitPrice } = request;
  const { token } = request;
  const from = tokenAccountOf(token, escrow.publicKey);
  const gifts = shares.map(({ wallet, amountRaw }) => {
    const owner = new PublicKey(wallet);
    return { owner, amountRaw, from, to: tokenAccountOf(token, owner) };
  });
  const said = await rpc.accountsByEndpoint(
    gifts.map(({ to }) => to.toBase58()),
    'confirmed',
  );
  const instructions = gifts.flatMap((gift) => {
    // An extra memo is harmless, a missing one fails all: one endpoint suffices.
    const needsMemo = said.anyShows(gift.to.toBase58(), (info) => asksForMemo(gift.to, info, token.tokenProgram));
    return sendGift(request, gift, needsMemo);
  });
  const transaction = compileTransaction({
    payer: escrow.publicKey,
    blockhash: stamp.blockhash,
    computeUnitPrice,
    computeUnits: deliveryComputeUnits(shares.length),
    instructions: stamp.mark(instructions),
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

function sendGift(
  { token, escrow }: DeliveryRequest,
  { owner, amountRaw, from, to }: Gift,
  needsMemo: boolean,
): TransactionInstruction[] {
  const { mint, decimals, tokenProgram } = token;
  return [
    createTokenAccount(escrow.publicKey, token, owner, to),
    ...(needsMemo ? [memoInstruction(MEMO_FOR_RECIPIENT)] : []),
    createTransferCheckedInstruction(from, mint, to, escrow.publicKey, amountRaw, decimals, [], tokenProgram),
  ];
}

/** True if the account requires a memo; lamports alone are no token account. */
function asksForMemo(address: PublicKey, account: AccountInfo<Buffer> | null, tokenProgram: PublicKey): boolean {
  return account?.owner.equals(tokenProgram) === true && demandsMemos(address, account);
}
