import { createTransferCheckedInstruction, getMemoTransfer, unpackAccount } from '@solana/spl-token';
import { type AccountInfo, PublicKey, type TransactionInstruction } from '@solana/web3.js';
import type { AirdropShare } from '../../domain/airdrop/airdrop.ts';
import type { TokenInfo } from '../exchange/exchange.ts';
import { createTokenAccount, tokenAccountOf } from '../tokens/associated-account.ts';
import type { Stamp } from '../lanes/stamp.ts';
import type { Rpc } from '../rpc/rpc.ts';
import type { TransactionSigner } from '../signers/signer.ts';
import { compileTransaction, type SignedTransaction } from '../transactions/compile.ts';
import { memoInstruction } from '../transactions/memo.ts';
import { signAsAsked } from '../transactions/purposed.ts';
import { deliveryComputeUnits } from './delivery-cost.ts';

/** One transaction of a delivery. */
export interface DeliveryRequest {
  readonly stamp: Stamp;
  /** At most as many as fit one transaction (`RECIPIENTS_PER_BATCH`). */
  readonly shares: readonly Pick<AirdropShare, 'wallet' | 'amountRaw'>[];
  /** The launched token. */
  readonly token: TokenInfo;
  /** Holds what is delivered; pays the fee and the recipients' accounts. */
  readonly escrow: TransactionSigner;
  /** micro-lamports per compute unit */
  readonly computeUnitPrice: bigint;
}

/** What recipients' accounts are read with. */
export type DeliveryRpc = Pick<Rpc, 'accountTestimonies'>;

/** What a transfer to an account that asks for a memo carries: six of them and no byte more fit one transaction. */
const MEMO_FOR_RECIPIENT = 'air';

/**
 * Opens the recipients' associated accounts where they are missing and sends each its amount, in one transaction. An owner
 * cannot give such an account away, but can make it ask for a memo with every transfer: it gets one.
 */
export async function buildDelivery(rpc: DeliveryRpc, request: DeliveryRequest): Promise<SignedTransaction> {
  const { stamp, shares, escrow, computeUnitPrice } = request;
  const owners = shares.map(({ wallet }) => new PublicKey(wallet));
  const accounts = owners.map((owner) => tokenAccountOf(request.token, owner));
  const said = await rpc.accountTestimonies(
    accounts.map((account) => account.toBase58()),
    'confirmed',
  );
  const { tokenProgram } = request.token;
  const gifts = shares.flatMap(({ amountRaw }, index) => {
    const account = accounts[index]!;
    // A memo that nobody asked for does no harm, one that is missing fails all of them.
    const needsMemo = said.anyShows(account.toBase58(), (info) => asksForMemo(account, info, tokenProgram));
    return sendTo(request, owners[index]!, amountRaw, needsMemo);
  });
  const transaction = compileTransaction({
    payer: escrow.publicKey,
    blockhash: stamp.blockhash,
    computeUnitPrice,
    computeUnits: deliveryComputeUnits(shares.length),
    instructions: stamp.mark(gifts),
  });
  return signAsAsked(transaction, [escrow, stamp.signer]);
}

function sendTo(
  { token, escrow }: DeliveryRequest,
  owner: PublicKey,
  amountRaw: bigint,
  needsMemo: boolean,
): TransactionInstruction[] {
  const { mint, decimals, tokenProgram } = token;
  const [from, to] = [tokenAccountOf(token, escrow.publicKey), tokenAccountOf(token, owner)];
  return [
    createTokenAccount(escrow.publicKey, token, owner),
    ...(needsMemo ? [memoInstruction(MEMO_FOR_RECIPIENT)] : []),
    createTransferCheckedInstruction(from, mint, to, escrow.publicKey, amountRaw, decimals, [], tokenProgram),
  ];
}

/** Lamports that a stranger sent to the address are no token account yet. */
function asksForMemo(address: PublicKey, account: AccountInfo<Buffer> | null, tokenProgram: PublicKey): boolean {
  if (!account?.owner.equals(tokenProgram)) return false;
  return getMemoTransfer(unpackAccount(address, account, tokenProgram))?.requireIncomingTransferMemos ?? false;
}
