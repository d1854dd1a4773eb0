import { createAssociatedTokenAccountIdempotentInstruction, getAssociatedTokenAddressSync } from '@solana/spl-token';
import { PublicKey, type VersionedTransaction } from '@solana/web3.js';
import type { InstructionGroup, PoolState, SwapQuote } from '../../chain/exchange/exchange.ts';
import { readTokens } from '../../chain/tokens/token-info.ts';
import { compileTransaction } from '../../chain/transactions/compile.ts';
import { signPartly } from '../../chain/transactions/sign-transaction.ts';
import type { TokenRecord } from '../../db/tokens.ts';
import { formatUnits } from '../../domain/amounts.ts';
import { AppError } from '../../domain/errors.ts';
import type { LaunchApiDeps } from '../../api/launch/deps.ts';
import { parseAmount } from './parse.ts';
import type { TokenInfo } from '../../chain/tokens/token.ts';

export interface SwapOrder {
  readonly wallet: PublicKey;
  readonly side: 'buy' | 'sell';
  readonly amount: string;
}

/** A swap that lacks only the wallet's signature; amounts in whole tokens. */
export interface DeskSwap {
  /** base64, v0; lacks only the wallet's signature. */
  readonly transaction: string;
  readonly amountIn: string;
  readonly amountOut: string;
  readonly lastValidBlockHeight: number;
}

export type SwapDeps = Pick<LaunchApiDeps, 'exchange' | 'rpc'>;

/** Least share of the quote: the price may move by 1 %. */
const LEAST_OUT_BPS = 9_900n;

const ACCOUNT_COMPUTE_UNITS = 40_000;

const COMPUTE_UNIT_PRICE = 1_000n;

interface Sides {
  readonly base: TokenInfo;
  readonly quote: TokenInfo;
  readonly input: TokenInfo;
  readonly output: TokenInfo;
}

/**
 * Builds on the pool's current state; opens the output's account if missing.
 *
 * @throws AppError `conflict` when the pool cannot fill it or the wallet has too little
 */
export async function buildDeskSwap(deps: SwapDeps, token: TokenRecord, order: SwapOrder): Promise<DeskSwap> {
  const sides = await readSides(deps, token, order.side);
  const amount = parseAmount('amount', order.amount, sides.input.decimals);
  const state = await readState(deps, token);
  const request = { base: sides.base, quote: sides.quote, side: order.side, exact: 'in', amount } as const;
  const quote = deps.exchange.quoteSwap(state, request);
  if (!quote.fillable) throw new AppError('conflict', `not fillable: ${quote.reason}`);
  await assertFunded(deps, sides.input, order, amount);
  const group = deps.exchange.buildSwap({
    ...request,
    state,
    owner: order.wallet,
    limit: leastOut(quote),
    inputTokenAccount: accountOf(sides.input, order.wallet),
    outputTokenAccount: accountOf(sides.output, order.wallet),
  });
  return answerOf(sides, quote, await compile(deps, group, sides.output, order.wallet));
}

async function readSides({ rpc }: SwapDeps, token: TokenRecord, side: SwapOrder['side']): Promise<Sides> {
  const mints = [new PublicKey(token.mint), new PublicKey(token.quoteMint)];
  const [base, quote] = await readTokens(rpc.connection, mints);
  if (!base || !quote) throw new AppError('conflict', `${token.mint} or its quote token is not on the chain`);
  return side === 'buy' ? { base, quote, input: quote, output: base } : { base, quote, input: base, output: quote };
}

async function readState({ exchange }: SwapDeps, { pool, mint }: TokenRecord): Promise<PoolState> {
  const state = await exchange.readPool(new PublicKey(pool));
  if (!state) throw new AppError('conflict', `the pool ${pool} of ${mint} is not on the chain`);
  return state;
}

function leastOut(quote: SwapQuote & { fillable: true }): bigint {
  return (quote.amountOut * LEAST_OUT_BPS) / 10_000n;
}

/** The chain would refuse with an error number. */
async function assertFunded({ rpc }: SwapDeps, input: TokenInfo, { wallet }: SwapOrder, amount: bigint): Promise<void> {
  const account = await rpc.connection.getAccountInfo(accountOf(input, wallet), 'processed');
  const held = account?.owner.equals(input.tokenProgram) ? account.data.readBigUInt64LE(BALANCE_OFFSET) : 0n;
  if (held >= amount) return;
  const [has, needs] = [held, amount].map((raw) => formatUnits(raw, input.decimals));
  throw new AppError(
    'conflict',
    `${wallet.toBase58()} has ${has} of ${input.mint.toBase58()}, the swap takes ${needs}`,
  );
}

/** spl-token: mint, owner, amount. */
const BALANCE_OFFSET = 64;

async function compile({ rpc }: SwapDeps, group: InstructionGroup, output: TokenInfo, wallet: PublicKey) {
  const { blockhash, lastValidBlockHeight } = await rpc.latestBlockhash('confirmed');
  const account = createAssociatedTokenAccountIdempotentInstruction(
    wallet,
    accountOf(output, wallet),
    wallet,
    output.mint,
    output.tokenProgram,
  );
  const transaction = compileTransaction({
    payer: wallet,
    instructions: [account, ...group.instructions],
    computeUnits: group.computeUnits + ACCOUNT_COMPUTE_UNITS,
    computeUnitPrice: COMPUTE_UNIT_PRICE,
    blockhash,
  });
  await signPartly(transaction, group.signers);
  return { transaction, lastValidBlockHeight };
}

function answerOf(
  { input, output }: Sides,
  { amountIn, amountOut }: SwapQuote & { fillable: true },
  { transaction, lastValidBlockHeight }: { transaction: VersionedTransaction; lastValidBlockHeight: number },
): DeskSwap {
  return {
    transaction: Buffer.from(transaction.serialize()).toString('base64'),
    amountIn: formatUnits(amountIn, input.decimals),
    amountOut: formatUnits(amountOut, output.decimals),
    lastValidBlockHeight,
  };
}

function accountOf({ mint, tokenProgram }: TokenInfo, owner: PublicKey): PublicKey {
  return getAssociatedTokenAddressSync(mint, owner, true, tokenProgram);
}
