import { createBurnCheckedInstruction, createTransferCheckedInstruction } from '@solana/spl-token';
import { type Connection, type Keypair, PublicKey, SystemProgram, type TransactionInstruction } from '@solana/web3.js';
import type { LaunchTerms } from '../../domain/launch-terms.ts';
import { refundPurpose } from '../../domain/purpose.ts';
import type { TokenInfo } from '../exchange/exchange.ts';
import type { LaunchKeys } from '../keys/launch-keys.ts';
import { tokenBalance } from '../tokens/token-balance.ts';
import { compileTransaction, type SignedTransaction, signTransaction } from '../transactions/compile.ts';
import { memoInstruction } from '../transactions/memo.ts';
import { tokenAccountOf } from './creator-account.ts';
import { baseTokenOf, quoteTokenOf } from './pool-request.ts';

const REFUND_COMPUTE_UNITS = 120_000;

/** A payment to be given back. */
export interface RefundRequest {
  readonly terms: LaunchTerms;
  readonly keys: LaunchKeys;
  /** What the creator gets, in lamports: the payment and its network fee. */
  readonly lamports: bigint;
  /** Pays the fee of this transaction. */
  readonly platform: Keypair;
  /** Makes up what the launch wallet has spent already. */
  readonly treasury: Keypair;
  readonly blockhash: string;
  /** micro-lamports per compute unit */
  readonly computeUnitPrice: bigint;
}

/**
 * Gives the creator everything back, in one transaction: lamports from the launch wallet and, short of that, from the
 * treasury; then the supply, where it exists, is burned and the dev buy's quote tokens return to the treasury. What a
 * stranger added to the launch wallet goes to the platform, because a small rest could not stay there.
 */
export async function buildRefund(connection: Connection, request: RefundRequest): Promise<SignedTransaction> {
  const { keys, platform, treasury, terms } = request;
  const wallet = keys.wallet.publicKey;
  const held = BigInt(await connection.getBalance(wallet, 'confirmed'));
  const fromWallet = held < request.lamports ? held : request.lamports;
  const creator = new PublicKey(terms.creator);
  const transaction = compileTransaction({
    payer: platform.publicKey,
    blockhash: request.blockhash,
    computeUnits: REFUND_COMPUTE_UNITS,
    computeUnitPrice: request.computeUnitPrice,
    instructions: [
      ...transfer(wallet, creator, fromWallet),
      ...transfer(treasury.publicKey, creator, request.lamports - fromWallet),
      ...transfer(wallet, platform.publicKey, held - fromWallet),
      ...(await burnSupply(connection, request)),
      ...(await returnQuote(connection, request)),
      memoInstruction(refundPurpose(terms.quoteId), [wallet]),
    ],
  });
  const signers = [platform, keys.wallet, ...(fromWallet < request.lamports ? [treasury] : [])];
  return signTransaction(transaction, signers);
}

function transfer(fromPubkey: PublicKey, toPubkey: PublicKey, lamports: bigint): TransactionInstruction[] {
  return lamports === 0n ? [] : [SystemProgram.transfer({ fromPubkey, toPubkey, lamports })];
}

async function burnSupply(connection: Connection, { terms, keys }: RefundRequest): Promise<TransactionInstruction[]> {
  const base = baseTokenOf(terms);
  const wallet = keys.wallet.publicKey;
  const amount = await tokenBalance(connection, base, wallet);
  if (amount === 0n) return [];
  const { mint, decimals, tokenProgram } = base;
  return [createBurnCheckedInstruction(tokenAccountOf(base, wallet), mint, wallet, amount, decimals, [], tokenProgram)];
}

async function returnQuote(connection: Connection, request: RefundRequest): Promise<TransactionInstruction[]> {
  const quote = quoteTokenOf(request.terms);
  const amount = await tokenBalance(connection, quote, request.keys.wallet.publicKey);
  return amount === 0n ? [] : [transferAll(quote, request.keys.wallet.publicKey, request.treasury.publicKey, amount)];
}

function transferAll(token: TokenInfo, from: PublicKey, to: PublicKey, amountRaw: bigint): TransactionInstruction {
  const { mint, decimals, tokenProgram } = token;
  const [source, destination] = [tokenAccountOf(token, from), tokenAccountOf(token, to)];
  return createTransferCheckedInstruction(source, mint, destination, from, amountRaw, decimals, [], tokenProgram);
}
