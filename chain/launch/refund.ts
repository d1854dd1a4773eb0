import { ACCOUNT_SIZE, createBurnCheckedInstruction, createTransferCheckedInstruction } from '@solana/spl-token';
import { PublicKey, SystemProgram, type TransactionInstruction } from '@solana/web3.js';
import { TOTAL_SUPPLY_RAW } from '../../domain/token-facts.ts';
import type { LaunchTerms } from '../../domain/launch/terms.ts';
import type { TokenInfo } from '../exchange/exchange.ts';
import type { LaunchKeys } from '../keys/launch-keys.ts';
import type { Stamp } from '../lanes/stamp.ts';
import { STEP_COMPUTE_UNITS } from '../lanes/step.ts';
import { agreedOn } from '../rpc/endpoints.ts';
import type { Rpc } from '../rpc/rpc.ts';
import type { TransactionSigner } from '../signers/signer.ts';
import { compileTransaction, type SignedTransaction } from '../transactions/compile.ts';
import { signAsAsked } from '../transactions/purposed.ts';
import { CLOSE_WALLET_COMPUTE_UNITS, closingOf } from './close-wallet.ts';
import { tokenAccountOf } from '../tokens/associated-account.ts';
import { amountIn } from '../tokens/token-balance.ts';
import { FAILED_TRIES_LAMPORTS } from './payment.ts';
import { baseTokenOf, quoteTokenOf } from './pool-request.ts';

const REFUND_COMPUTE_UNITS = 120_000 + CLOSE_WALLET_COMPUTE_UNITS + STEP_COMPUTE_UNITS;

/** A payment to be given back. */
export interface RefundRequest {
  readonly terms: LaunchTerms;
  readonly keys: LaunchKeys;
  /** What the creator gets, in lamports: the payment and its network fee. */
  readonly lamports: bigint;
  /** Whether the second transaction took effect: the mint exists and the dev buy's quote tokens were paid. */
  readonly isMinted: boolean;
  /** Pays the fee of this transaction. */
  readonly platform: TransactionSigner;
  /** Makes up what the launch wallet has spent already. */
  readonly treasury: TransactionSigner;
  readonly stamp: Stamp;
  /** micro-lamports per compute unit */
  readonly computeUnitPrice: bigint;
}

/**
 * Gives the creator everything back, in one transaction: lamports from the launch wallet and, short of that, from the
 * treasury; then the supply, where it exists, is burned and the dev buy's quote tokens return to the treasury. What a
 * stranger added to the launch wallet, also after this was built, goes to the platform.
 *
 * What the wallet holds is a quorum's word, and the chain is the judge of it: unless the mint was made, the launch wallet itself must hold the payment;
 * if it was, the whole supply must be there to burn. A payment that never landed cannot be refunded out of the treasury.
 * @throws RpcUnavailableError where no quorum says the same of what the wallet holds.
 */
export async function buildRefund(rpc: RefundRpc, request: RefundRequest): Promise<SignedTransaction> {
  const { keys, platform, treasury, terms, stamp } = request;
  const wallet = keys.wallet.publicKey;
  const [held, rentLamports] = await Promise.all([holdingsOf(rpc, request), rpc.agreedRent(ACCOUNT_SIZE)]);
  const fromWallet = shareOfWallet(request, held.lamports);
  const creator = new PublicKey(terms.creator);
  const transaction = compileTransaction({
    payer: platform.publicKey,
    blockhash: stamp.blockhash,
    computeUnits: REFUND_COMPUTE_UNITS,
    computeUnitPrice: request.computeUnitPrice,
    instructions: stamp.mark([
      ...transfer(wallet, creator, fromWallet),
      ...transfer(treasury.publicKey, creator, request.lamports - fromWallet),
      ...(request.isMinted ? [burnSupply(request)] : []),
      ...returnQuote(request, held),
      ...closingOf(wallet, platform.publicKey, rentLamports),
    ]),
  });
  return signAsAsked(transaction, [platform, keys.wallet, treasury, stamp.signer]);
}

type RefundRpc = Pick<Rpc, 'accountTestimonies' | 'agreedRent'>;

/** What a quorum says that the launch wallet holds: with too much of it the chain would refuse the refund, and short of it the treasury pays. */
async function holdingsOf(rpc: RefundRpc, { terms, keys, treasury }: RefundRequest) {
  const wallet = keys.wallet.publicKey;
  const quote = quoteTokenOf(terms);
  const account = tokenAccountOf(quote, wallet);
  const heir = tokenAccountOf(quote, treasury.publicKey);
  const addresses = [wallet, account, heir].map((key) => key.toBase58());
  const said = await rpc.accountTestimonies(addresses, 'confirmed');
  const lamports = said.agreed(wallet.toBase58(), (info) => BigInt(info?.lamports ?? 0));
  const quoteRaw = said.agreed(account.toBase58(), (info) => amountIn(quote, account, info));
  const hasHeir = said.agreed(heir.toBase58(), (info) => info?.owner.equals(quote.tokenProgram) ?? false);
  const what = `what ${wallet.toBase58()} holds`;
  return {
    lamports: agreedOn(lamports, what),
    quoteRaw: agreedOn(quoteRaw, what),
    hasHeir: agreedOn(hasHeir, `the treasury's account ${heir.toBase58()}`),
  };
}

/** Lamports of a refund that the launch wallet pays. */
function shareOfWallet({ terms, lamports, isMinted }: RefundRequest, held: bigint): bigint {
  const least = isMinted ? 0n : BigInt(terms.payment.lamports) - FAILED_TRIES_LAMPORTS;
  const share = held < lamports ? held : lamports;
  return share < least ? least : share;
}

function transfer(fromPubkey: PublicKey, toPubkey: PublicKey, lamports: bigint): TransactionInstruction[] {
  return lamports === 0n ? [] : [SystemProgram.transfer({ fromPubkey, toPubkey, lamports })];
}

/** Nothing of it has left the launch wallet while there is no pool. */
function burnSupply({ terms, keys }: RefundRequest): TransactionInstruction {
  const { mint, decimals, tokenProgram } = baseTokenOf(terms);
  const account = tokenAccountOf({ mint, decimals, tokenProgram }, keys.wallet.publicKey);
  const supply = TOTAL_SUPPLY_RAW;
  return createBurnCheckedInstruction(account, mint, keys.wallet.publicKey, supply, decimals, [], tokenProgram);
}

/**
 * All that lies in the launch wallet, and no less than the dev buy took from the treasury. What a stranger put there stays where the
 * treasury has no account for it.
 */
function returnQuote(
  request: RefundRequest,
  { quoteRaw: held, hasHeir }: Awaited<ReturnType<typeof holdingsOf>>,
): TransactionInstruction[] {
  const { terms, keys, treasury, isMinted } = request;
  const quote = quoteTokenOf(terms);
  const least = isMinted ? BigInt(terms.devBuy?.maxQuoteRaw ?? 0) : 0n;
  const amount = held < least ? least : held;
  return amount === 0n || (least === 0n && !hasHeir)
    ? []
    : [transferAll(quote, keys.wallet.publicKey, treasury.publicKey, amount)];
}

function transferAll(token: TokenInfo, from: PublicKey, to: PublicKey, amountRaw: bigint): TransactionInstruction {
  const { mint, decimals, tokenProgram } = token;
  const [source, destination] = [tokenAccountOf(token, from), tokenAccountOf(token, to)];
  return createTransferCheckedInstruction(source, mint, destination, from, amountRaw, decimals, [], tokenProgram);
}
