import {
  createAssociatedTokenAccountIdempotentInstruction,
  createTransferCheckedInstruction,
  getAssociatedTokenAddressSync,
} from '@solana/spl-token';
import {
  type AddressLookupTableAccount,
  type Connection,
  type Keypair,
  type PublicKey,
  SystemProgram,
  type TransactionInstruction,
  VersionedTransaction,
} from '@solana/web3.js';
import { RESTOCK_FEE_LAMPORTS } from '../../domain/restock/restock.ts';
import type { TokenInfo } from '../exchange/exchange.ts';
import { transferTax } from '../exchange/pool-math/transfer-fee.ts';
import type { Stamp } from '../lanes/stamp.ts';
import type { TransactionSigner } from '../signers/signer.ts';
import { compileTransaction, type SignedTransaction } from '../transactions/compile.ts';
import { signAsAsked } from '../transactions/purposed.ts';
import { assertHarmless, SwapRefusedError } from '../aggregator/assert-harmless.ts';
import type { SwapInstructions } from '../aggregator/swap-aggregator.ts';

/** A purchase of quote tokens for the treasury. */
export interface RestockRequest {
  readonly stamp: Stamp;
  /** Pays, in lamports, and gets the quote tokens; the fee payer. */
  readonly treasury: TransactionSigner;
  /** Swaps, and holds nothing but what it needs for that. */
  readonly wallet: Keypair;
  /** Other addresses of the platform's, which a swap must not name. */
  readonly untouchable: readonly PublicKey[];
  readonly token: TokenInfo;
  readonly swap: SwapInstructions;
  /** Programs that swaps may call. */
  readonly programs: readonly PublicKey[];
  /** What the treasury gives to the wallet, in lamports. */
  readonly fundLamports: bigint;
  /** Least that the treasury gets, raw units; less makes the whole transaction fail. */
  readonly minReceivedRaw: bigint;
  /** micro-lamports per compute unit */
  readonly computeUnitPrice: bigint;
}

/** The most that a transaction may ask for, and what a simulation asks for. */
const MAX_COMPUTE_UNITS = 1_400_000;

/**
 * Builds, simulates and signs one purchase, in one transaction that happens whole or not at all: the treasury gives the wallet
 * its lamports, the wallet swaps, and gives the treasury at least what was agreed. The aggregator's instructions see only the
 * wallet. Throws a SwapRefusedError when they want more, or when the simulation shows another outcome.
 */
export async function buildRestock(connection: Connection, request: RestockRequest): Promise<SignedTransaction> {
  const { treasury, wallet, swap, programs, untouchable } = request;
  const platform = [treasury.publicKey, ...untouchable];
  assertHarmless(swap.instructions, { wallet: wallet.publicKey, untouchable: platform, programs });
  const tables = await lookupTablesOf(connection, swap.lookupTables);
  const leftRaw = await balanceOf(connection, accountOf(request.token, wallet.publicKey));
  const compile = (computeUnits: number) => compileRestock(request, leftRaw, tables, computeUnits);
  const computeUnits = await simulated(connection, request, compile(MAX_COMPUTE_UNITS), leftRaw);
  const transaction = compile(Math.min(MAX_COMPUTE_UNITS, Math.ceil(computeUnits * 1.25)));
  return signAsAsked(transaction, [treasury, wallet, request.stamp.signer]);
}

function compileRestock(
  request: RestockRequest,
  leftRaw: bigint,
  lookupTables: readonly AddressLookupTableAccount[],
  computeUnits: number,
): VersionedTransaction {
  const { stamp, treasury, wallet, token, swap, fundLamports, computeUnitPrice } = request;
  return compileTransaction({
    payer: treasury.publicKey,
    blockhash: stamp.blockhash,
    computeUnits,
    computeUnitPrice,
    lookupTables,
    instructions: stamp.mark([
      SystemProgram.transfer({ fromPubkey: treasury.publicKey, toPubkey: wallet.publicKey, lamports: fundLamports }),
      openAccount(token, wallet.publicKey, wallet.publicKey),
      openAccount(token, wallet.publicKey, treasury.publicKey),
      ...swap.instructions,
      // What an earlier round got beyond its least comes along.
      deliver(token, wallet.publicKey, treasury.publicKey, leftRaw + request.minReceivedRaw),
    ]),
  });
}

/**
 * Compute units that the transaction takes. Nobody gets a signed transaction before it is known what it does, so all
 * signatures are left out.
 */
async function simulated(
  connection: Connection,
  request: RestockRequest,
  transaction: VersionedTransaction,
  leftRaw: bigint,
): Promise<number> {
  const treasury = request.treasury.publicKey;
  const stock = accountOf(request.token, treasury);
  const [lamportsBefore, stockBefore] = await Promise.all([
    connection.getBalance(treasury, 'confirmed'),
    balanceOf(connection, stock),
  ]);
  const { value } = await connection.simulateTransaction(new VersionedTransaction(transaction.message), {
    sigVerify: false,
    commitment: 'confirmed',
    accounts: { encoding: 'base64', addresses: [treasury.toBase58(), stock.toBase58()] },
  });
  if (value.err !== null) throw new SwapRefusedError(`it would fail: ${JSON.stringify(value.err)}`);
  const [after, stockAfter] = value.accounts ?? [];
  const spent = BigInt(lamportsBefore) - BigInt(after?.lamports ?? 0);
  if (spent > request.fundLamports + RESTOCK_FEE_LAMPORTS) throw new SwapRefusedError(`it takes ${spent} lamports`);
  const received = tokensIn(stockAfter?.data[0]) - stockBefore;
  if (received < leastReceived(request, leftRaw)) throw new SwapRefusedError(`it gives ${received} raw units`);
  return value.unitsConsumed ?? MAX_COMPUTE_UNITS;
}

/** A token with a transfer fee loses it on the way to the treasury. */
function leastReceived({ token, minReceivedRaw }: RestockRequest, leftRaw: bigint): bigint {
  const sent = leftRaw + minReceivedRaw;
  return sent - transferTax(token.transferFee, sent);
}

async function lookupTablesOf(connection: Connection, addresses: readonly PublicKey[]) {
  const tables = await Promise.all(addresses.map((address) => connection.getAddressLookupTable(address)));
  return tables.map(({ value }, index) => {
    if (value) return value;
    throw new SwapRefusedError(`lookup table ${addresses[index]?.toBase58()} does not exist`);
  });
}

async function balanceOf(connection: Connection, account: PublicKey): Promise<bigint> {
  const info = await connection.getAccountInfo(account, 'confirmed');
  return info ? tokensIn(info.data.toString('base64')) : 0n;
}

/** Amount in the bytes of a token account: a little-endian u64 at offset 64 (spl-token, state.rs). */
function tokensIn(base64: string | undefined): bigint {
  const data = Buffer.from(base64 ?? '', 'base64');
  return data.length < 72 ? 0n : data.readBigUInt64LE(64);
}

function accountOf({ mint, tokenProgram }: TokenInfo, owner: PublicKey): PublicKey {
  return getAssociatedTokenAddressSync(mint, owner, true, tokenProgram);
}

function openAccount(token: TokenInfo, payer: PublicKey, owner: PublicKey): TransactionInstruction {
  const account = accountOf(token, owner);
  return createAssociatedTokenAccountIdempotentInstruction(payer, account, owner, token.mint, token.tokenProgram);
}

function deliver(token: TokenInfo, from: PublicKey, to: PublicKey, amountRaw: bigint): TransactionInstruction {
  const { mint, decimals, tokenProgram } = token;
  const [source, target] = [accountOf(token, from), accountOf(token, to)];
  return createTransferCheckedInstruction(source, mint, target, from, amountRaw, decimals, [], tokenProgram);
}
