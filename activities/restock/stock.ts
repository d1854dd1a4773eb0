import { NATIVE_MINT } from '@solana/spl-token';
import { PublicKey } from '@solana/web3.js';
import { readBalanceBounds } from '../../chain/tokens/token-balance.ts';
import { markedStockOf } from '../../db/inventory/stock.ts';
import type { Pair } from '../../db/schema/pairs.ts';
import type { ExchangeRate } from '../../domain/launch/dev-buy.ts';
import { shortfallRaw } from '../../domain/inventory.ts';
import type { SpendablePrice } from '../../domain/trading/spendable-price.ts';
import { isHeldBack } from '../../domain/token-balance.ts';
import type { RestockDeps } from './deps.ts';

/**
 * Raw units; 0 if enough are available or restocking is not configured, and for a frozen account: it takes no purchase,
 * and what it holds is there again once it is thawed.
 */
export async function missingRaw({ db, rpc, signers }: RestockDeps, pair: Pair): Promise<bigint> {
  const token = { mint: new PublicKey(pair.mint), tokenProgram: new PublicKey(pair.tokenProgram) };
  const balance = async () => (await readBalanceBounds(rpc, token, signers.treasury.publicKey)).most;
  const stock = await markedStockOf(db, pair.mint, balance);
  if (stock === null || stock.toRaw === null || isHeldBack(stock.state)) return 0n;
  return shortfallRaw(stock.available, { belowRaw: stock.belowRaw, toRaw: stock.toRaw });
}

export interface PairRates {
  readonly present: ExchangeRate;
  readonly median: ExchangeRate;
  readonly quote: SpendablePrice;
}

/** Rejects with AppError `service_unavailable` without steady prices of SOL and the quote token. */
export async function priced({ spendablePrices }: RestockDeps, pair: Pair): Promise<PairRates> {
  const [sol, quote] = await Promise.all([spendablePrices.of(NATIVE_MINT.toBase58()), spendablePrices.of(pair.mint)]);
  const { decimals: quoteDecimals } = pair;
  const present = { solUsd: sol.usd, quoteUsd: quote.usd, quoteDecimals };
  return { present, median: { solUsd: sol.medianUsd, quoteUsd: quote.medianUsd, quoteDecimals }, quote };
}
