import { ACCOUNT_SIZE, createBurnCheckedInstruction, createTransferCheckedInstruction } from '@solana/spl-token';
import { PublicKey, SystemProgram, type TransactionInstruction } from '@solana/web3.js';
import { TOTAL_SUPPLY_RAW } from '../../domain/token-facts.ts';
import type { LaunchTerms } from '../../domain/launch/terms.ts';
import { isHeldBack, isUsable } from '../../domain/token-balance.ts';
import type { LaunchKeys } from '../keys/launch-keys.ts';
import type { Stamp } from '../lanes/stamp.ts';
import { STEP_COMPUTE_UNITS } from '../lanes/step.ts';
import { agreedOn } from '../rpc/endpoints.ts';
import type { Rpc } from '../rpc/rpc.ts';
import type { TransactionSigner } from '../signers/signer.ts';
import { compileTransaction, type SignedTransaction } from '../transactions/compile.ts';
import { signMovement } from '../transactions/purposed.ts';
import { CLOSE_WALLET_COMPUTE_UNITS, closingOf } from './close-wallet.ts';
import { tokenAccountOf } from '../tokens/associated-account.ts';
import { balanceOfAccount } from '../tokens/token-balance.ts';
import { FAILED_TRIES_LAMPORTS } from './payment.ts';
import { baseTokenOf, quoteTokenOf } from './pool-request.ts';
import type { TokenInfo } from '../tokens/token.ts';

const REFUND_COMPUTE_UNITS = 120_000 + CLOSE_WALLET_COMPUTE_UNITS + STEP_COMPUTE_UNITS;

export interface RefundRequest {
  readonly terms: LaunchTerms;
  readonly keys: LaunchKeys;
  /** Payment and network fee. */
  readonly lamports: bigint;
  /** The mint exists, and the dev buy's quote tokens were paid. */
  readonly isMinted: boolean;
  readonly platform: TransactionSigner;
  /** Makes up for the launch wallet's spending. */
  readonly treasury: TransactionSigner;
  readonly stamp: Stamp;
  readonly computeUnitPrice: bigint;
}

/**
 * Builds one transaction, from the launch wallet, then the treasury. It burns the supply if it exists; the dev buy's
 * tokens return to the treasury, strangers' transfers go to the platform. Balances are read by a quorum, and the chain
 * verifies them: without the mint the wallet must hold the payment, with it the whole supply must be there. So the
 * treasury never refunds a payment that did not land.
 *
 * @throws RpcUnavailableError without a quorum
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
  return signMovement(stamp, transaction, [platform, keys.wallet, treasury]);
}

type RefundRpc = Pick<Rpc, 'accountsByEndpoint' | 'agreedRent'>;

/** Reads the balances by a quorum: if too high, the chain refuses; if too low, the treasury pays. */
async function holdingsOf(rpc: RefundRpc, { terms, keys, treasury }: RefundRequest) {
  const wallet = keys.wallet.publicKey;
  const quote = quoteTokenOf(terms);
  const account = tokenAccountOf(quote, wallet);
  const heir = tokenAccountOf(quote, treasury.publicKey);
  const addresses = [wallet, account, heir].map((key) => key.toBase58());
  const said = await rpc.accountsByEndpoint(addresses, 'confirmed');
  const lamports = said.agreed(wallet.toBase58(), (info) => BigInt(info?.lamports ?? 0));
  const held = said.agreed(account.toBase58(), (info) => balanceOfAccount(quote, wallet, info));
  const heirState = said.agreed(heir.toBase58(), (info) => balanceOfAccount(quote, treasury.publicKey, info).state);
  const what = `what ${wallet.toBase58()} holds`;
  return {
    lamports: agreedOn(lamports, what),
    quote: agreedOn(held, what),
    heirState: agreedOn(heirState, `the treasury's account ${heir.toBase58()}`),
  };
}

function shareOfWallet({ terms, lamports, isMinted }: RefundRequest, held: bigint): bigint {
  const least = isMinted ? 0n : BigInt(terms.payment.lamports) - FAILED_TRIES_LAMPORTS;
  const share = held < lamports ? held : lamports;
  return share < least ? least : share;
}

function transfer(fromPubkey: PublicKey, toPubkey: PublicKey, lamports: bigint): TransactionInstruction[] {
  return lamports === 0n ? [] : [SystemProgram.transfer({ fromPubkey, toPubkey, lamports })];
}

function burnSupply({ terms, keys }: RefundRequest): TransactionInstruction {
  const { mint, decimals, tokenProgram } = baseTokenOf(terms);
  const account = tokenAccountOf({ mint, decimals, tokenProgram }, keys.wallet.publicKey);
  const supply = TOTAL_SUPPLY_RAW;
  return createBurnCheckedInstruction(account, mint, keys.wallet.publicKey, supply, decimals, [], tokenProgram);
}

/**
 * Returns all quote tokens in the launch wallet, at least what the dev buy took. They stay if their issuer has frozen
 * them, or the treasury has no account that takes them: what the platform owes never waits for what it is owed.
 */
function returnQuote(
  request: RefundRequest,
  { quote: held, heirState }: Awaited<ReturnType<typeof holdingsOf>>,
): TransactionInstruction[] {
  const { terms, keys, treasury, isMinted } = request;
  const quote = quoteTokenOf(terms);
  if (isHeldBack(held.state) || !isUsable(heirState)) return [];
  const least = isMinted ? BigInt(terms.devBuy?.maxQuoteRaw ?? 0) : 0n;
  const amount = held.spendableRaw < least ? least : held.spendableRaw;
  if (amount === 0n) return [];
  return [transferAll(quote, keys.wallet.publicKey, treasury.publicKey, amount)];
}

function transferAll(token: TokenInfo, from: PublicKey, to: PublicKey, amountRaw: bigint): TransactionInstruction {
  const { mint, decimals, tokenProgram } = token;
  const [source, destination] = [tokenAccountOf(token, from), tokenAccountOf(token, to)];
  return createTransferCheckedInstruction(source, mint, destination, from, amountRaw, decimals, [], tokenProgram);
}
