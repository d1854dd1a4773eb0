import { createTransferCheckedInstruction } from '@solana/spl-token';
import { type Keypair, type PublicKey, SystemProgram, type TransactionInstruction } from '@solana/web3.js';
import { RESTOCK_FEE_LAMPORTS, RESTOCK_FLOAT_LAMPORTS } from '../../domain/restock/restock.ts';
import { assertHarmless } from '../aggregator/assert-harmless.ts';
import type { SwapInstructions } from '../aggregator/swap-aggregator.ts';
import { transferTax } from '../exchange/pool-math/transfer-fee.ts';
import type { Stamp } from '../lanes/stamp.ts';
import type { Rpc } from '../rpc/rpc.ts';
import type { TransactionSigner } from '../signers/signer.ts';
import { createTokenAccount, tokenAccountOf } from '../tokens/associated-account.ts';
import { balanceOfAccount } from '../tokens/token-balance.ts';
import { compileTransaction, type PlannedTransaction, type SignedTransaction } from '../transactions/compile.ts';
import { MAX_COMPUTE_UNITS } from '../transactions/compute-budget.ts';
import { type AgreedLookupTable, agreedLookupTablesAt } from '../transactions/lookup-table.ts';
import { signMovement } from '../transactions/purposed.ts';
import { simulatedUnits } from './simulate-restock.ts';
import type { TokenInfo } from '../tokens/token.ts';

export interface RestockRequest {
  readonly stamp: Stamp;
  /** Pays lamports and fee; gets the quote tokens. */
  readonly treasury: TransactionSigner;
  /** Swaps; holds only what the swap needs. */
  readonly wallet: Keypair;
  /** Must not appear in a swap. */
  readonly untouchable: readonly PublicKey[];
  readonly token: TokenInfo;
  readonly swap: SwapInstructions;
  /** Callable by swaps. */
  readonly programs: readonly PublicKey[];
  readonly lamports: bigint;
  /** Less makes the whole transaction fail. */
  readonly minReceivedRaw: bigint;
  readonly computeUnitPrice: bigint;
}

export interface SignedRestock extends SignedTransaction {
  /** For the treasury, net of tax. */
  readonly agreedRaw: bigint;
}

export type RestockRpc = Pick<Rpc, 'accountsByEndpoint' | 'foundByQuorum' | 'quorum'>;

/** State may differ at landing. */
const UNITS_WITH_ROOM = 1.25;

/**
 * Atomic: the treasury funds the wallet, which swaps and pays the treasury at least the agreed amount. The aggregator's
 * instructions name only the wallet. Throws a SwapRefusedError if they name more or a quorum's simulation shows another
 * outcome; a LookupTableError; an RpcUnavailableError without a quorum.
 */
export async function buildRestock(rpc: RestockRpc, request: RestockRequest): Promise<SignedRestock> {
  const { treasury, wallet, swap, programs, untouchable, stamp, token } = request;
  const platform = [treasury.publicKey, ...untouchable];
  assertHarmless(swap.instructions, { wallet: wallet.publicKey, untouchable: platform, programs });
  const readTables = agreedLookupTablesAt(
    rpc,
    swap.lookupTables.map((key) => key.toBase58()),
  );
  const [lookupTables, held] = await Promise.all([readTables(), heldBefore(rpc, request)]);
  const amounts = amountsOf(request, held);
  const compile = (computeUnits: number) => compileRestock(request, amounts, lookupTables, computeUnits);
  const units = await simulatedUnits(rpc, compile(MAX_COMPUTE_UNITS).message, {
    treasury: treasury.publicKey,
    stock: tokenAccountOf(token, treasury.publicKey),
    lamportsBefore: held.treasuryLamports,
    stockBeforeRaw: held.stockRaw,
    mostLamports: amounts.fundLamports + RESTOCK_FEE_LAMPORTS,
    leastRaw: amounts.agreedRaw,
  });
  const transaction = compile(Math.min(MAX_COMPUTE_UNITS, Math.ceil(units * UNITS_WITH_ROOM)));
  const signed = await signMovement(stamp, transaction, [treasury, wallet]);
  return { ...signed, agreedRaw: amounts.agreedRaw };
}

interface Held {
  readonly treasuryLamports: bigint;
  readonly stockRaw: bigint;
  readonly walletLamports: bigint;
  readonly leftRaw: bigint;
}

/** Reads upper bounds by a quorum. If a real balance is lower, the purchase fails and nothing is lost. */
async function heldBefore(rpc: RestockRpc, { token, treasury, wallet }: RestockRequest): Promise<Held> {
  const stock = tokenAccountOf(token, treasury.publicKey);
  const left = tokenAccountOf(token, wallet.publicKey);
  const addresses = [treasury.publicKey, wallet.publicKey, stock, left].map((key) => key.toBase58());
  const said = await rpc.accountsByEndpoint(addresses, 'confirmed');
  const lamportsOf = (key: PublicKey) => said.mostSeen(key.toBase58(), (info) => BigInt(info?.lamports ?? 0));
  const tokensOf = (owner: PublicKey, account: PublicKey) =>
    said.mostSeen(account.toBase58(), (info) => balanceOfAccount(token, owner, info).heldRaw);
  return {
    treasuryLamports: lamportsOf(treasury.publicKey),
    walletLamports: lamportsOf(wallet.publicKey),
    stockRaw: tokensOf(treasury.publicKey, stock),
    leftRaw: tokensOf(wallet.publicKey, left),
  };
}

interface Amounts {
  /** From the treasury to the wallet. */
  readonly fundLamports: bigint;
  /** With leftovers of an earlier swap. */
  readonly sentRaw: bigint;
  /** Reaches the treasury. */
  readonly agreedRaw: bigint;
}

function amountsOf({ token, lamports, minReceivedRaw }: RestockRequest, { walletLamports, leftRaw }: Held): Amounts {
  const lacking = lamports + RESTOCK_FLOAT_LAMPORTS - walletLamports;
  const sentRaw = leftRaw + minReceivedRaw;
  const agreedRaw = sentRaw - transferTax(token.transferFee, sentRaw);
  return { fundLamports: lacking > 0n ? lacking : 0n, sentRaw, agreedRaw };
}

function compileRestock(
  { stamp, treasury, wallet, token, swap, computeUnitPrice }: RestockRequest,
  { fundLamports, sentRaw }: Amounts,
  lookupTables: readonly AgreedLookupTable[],
  computeUnits: number,
): PlannedTransaction {
  return compileTransaction({
    payer: treasury.publicKey,
    blockhash: stamp.blockhash,
    computeUnits,
    computeUnitPrice,
    lookupTables,
    instructions: stamp.mark([
      SystemProgram.transfer({ fromPubkey: treasury.publicKey, toPubkey: wallet.publicKey, lamports: fundLamports }),
      createTokenAccount(wallet.publicKey, token, wallet.publicKey),
      createTokenAccount(wallet.publicKey, token, treasury.publicKey),
      ...swap.instructions,
      deliver(token, wallet.publicKey, treasury.publicKey, sentRaw),
    ]),
  });
}

function deliver(token: TokenInfo, from: PublicKey, to: PublicKey, amountRaw: bigint): TransactionInstruction {
  const { mint, decimals, tokenProgram } = token;
  const [source, target] = [tokenAccountOf(token, from), tokenAccountOf(token, to)];
  return createTransferCheckedInstruction(source, mint, target, from, amountRaw, decimals, [], tokenProgram);
}
