import { createTransferCheckedInstruction, getMemoTransfer, unpackAccount } from '@solana/spl-token';
import { type AccountInfo, type Connection, PublicKey, type TransactionInstruction } from '@solana/web3.js';
import type { AirdropShare } from '../../domain/airdrop/airdrop.ts';
import type { TokenInfo } from '../exchange/exchange.ts';
import { createTokenAccount, tokenAccountOf } from '../tokens/associated-account.ts';
import type { Stamp } from '../lanes/stamp.ts';
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

/** What a transfer to an account that asks for a memo carries: six of them and no byte more fit one transaction. */
const MEMO_FOR_RECIPIENT = 'air';

/**
 * Opens the recipients' associated accounts where they are missing and sends each its amount, in one transaction. An owner
 * cannot give such an account away, but can make it ask for a memo with every transfer: it gets one.
 */
export async function buildDelivery(connection: Connection, request: DeliveryRequest): Promise<SignedTransaction> {
  const { stamp, shares, escrow, computeUnitPrice } = request;
  const owners = shares.map(({ wallet }) => new PublicKey(wallet));
  const accounts = await connection.getMultipleAccountsInfo(
    owners.map((owner) => tokenAccountOf(request.token, owner)),
    'confirmed',
  );
  const gifts = shares.flatMap(({ amountRaw }, index) =>
    sendTo(request, owners[index]!, amountRaw, accounts[index] ?? null),
  );
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
  account: AccountInfo<Buffer> | null,
): TransactionInstruction[] {
  const { mint, decimals, tokenProgram } = token;
  const [from, to] = [tokenAccountOf(token, escrow.publicKey), tokenAccountOf(token, owner)];
  return [
    createTokenAccount(escrow.publicKey, token, owner),
    ...(account && asksForMemo(to, account, tokenProgram) ? [memoInstruction(MEMO_FOR_RECIPIENT)] : []),
    createTransferCheckedInstruction(from, mint, to, escrow.publicKey, amountRaw, decimals, [], tokenProgram),
  ];
}

/** Lamports that a stranger sent to the address are no token account yet. */
function asksForMemo(address: PublicKey, account: AccountInfo<Buffer>, tokenProgram: PublicKey): boolean {
  if (!account.owner.equals(tokenProgram)) return false;
  return getMemoTransfer(unpackAccount(address, account, tokenProgram))?.requireIncomingTransferMemos ?? false;
}
