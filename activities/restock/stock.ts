import type { UsdPrice } from '../../chain/prices/price-source.ts';
import { NATIVE_MINT } from '@solana/spl-token';
import { PublicKey } from '@solana/web3.js';
import { mostTokens } from '../../chain/tokens/token-balance.ts';
import { markedStockOf } from '../../db/inventory/stock.ts';
import type { Pair } from '../../db/schema/pairs.ts';
import type { ExchangeRate } from '../../domain/launch/dev-buy.ts';
import { shortfallRaw } from '../../domain/inventory.ts';
import type { RestockDeps } from './deps.ts';

/** Quote tokens of a pair that are to be bought, raw units; 0 where enough are available or nobody wants them restocked. */
export async function missingRaw({ db, rpc, signers }: RestockDeps, pair: Pair): Promise<bigint> {
  const token = { mint: new PublicKey(pair.mint), tokenProgram: new PublicKey(pair.tokenProgram) };
  const balance = () => mostTokens(rpc, token, signers.treasury.publicKey);
  const stock = await markedStockOf(db, pair.mint, balance);
  if (stock === null || stock.settings.restockToRaw === null) return 0n;
  return shortfallRaw(stock.available, { belowRaw: stock.belowRaw, toRaw: stock.settings.restockToRaw });
}

/** What a SOL and a quote token are worth now. Rejects with AppError `service_unavailable` without a steady price of each. */
export async function priced(
  { steadyPrices }: RestockDeps,
  pair: Pair,
): Promise<{ rate: ExchangeRate; quote: UsdPrice }> {
  const [sol, quote] = await Promise.all([steadyPrices.usd(NATIVE_MINT.toBase58()), steadyPrices.usd(pair.mint)]);
  return { rate: { solUsd: sol.usd, quoteUsd: quote.usd, quoteDecimals: pair.decimals }, quote };
}
