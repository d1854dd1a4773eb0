import { PublicKey } from '@solana/web3.js';
import type { TokenInfo } from '../../chain/exchange/exchange.ts';
import type { UsdPrice } from '../../chain/prices/price-source.ts';
import { NATIVE_MINT } from '@solana/spl-token';
import { tokenBalance } from '../../chain/tokens/token-balance.ts';
import { reservedDevBuys } from '../../db/inventory/dev-buy-reservations.ts';
import * as pairInventory from '../../db/inventory/pair-inventory.ts';
import type { Pair } from '../../db/schema/pairs.ts';
import type { ExchangeRate } from '../../domain/launch/dev-buy.ts';
import { availableRaw, shortfallRaw } from '../../domain/inventory.ts';
import type { RestockDeps } from './deps.ts';

/** Quote tokens of a pair that are to be bought, raw units; 0 where enough are available or nobody wants them restocked. */
export async function missingRaw({ db, rpc, signers }: RestockDeps, pair: Pair): Promise<bigint> {
  const { reserveRaw, restockBelowRaw, restockToRaw } = await pairInventory.byMint(db, pair.mint);
  if (restockBelowRaw === null || restockToRaw === null) return 0n;
  const [balanceRaw, reservedRaw] = await Promise.all([
    tokenBalance(rpc.connection, tokenOf(pair), signers.treasury.publicKey),
    reservedDevBuys(db, pair.mint),
  ]);
  const available = availableRaw({ balanceRaw, reservedRaw, reserveRaw });
  return shortfallRaw(available, { belowRaw: restockBelowRaw, toRaw: restockToRaw });
}

/** What a SOL and a quote token are worth now. Rejects with AppError `service_unavailable` without a steady price of each. */
export async function priced(
  { steadyPrices }: RestockDeps,
  pair: Pair,
): Promise<{ rate: ExchangeRate; quote: UsdPrice }> {
  const [sol, quote] = await Promise.all([steadyPrices.usd(NATIVE_MINT.toBase58()), steadyPrices.usd(pair.mint)]);
  return { rate: { solUsd: sol.usd, quoteUsd: quote.usd, quoteDecimals: pair.decimals }, quote };
}

/** A listed quote token as the chain's helpers want it. */
export function tokenOf({ mint, decimals, tokenProgram }: Pair): TokenInfo {
  return { mint: new PublicKey(mint), decimals, tokenProgram: new PublicKey(tokenProgram) };
}
