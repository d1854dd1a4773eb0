import { tokenAccountOf } from '../../chain/tokens/associated-account.ts';
import { mostTokens } from '../../chain/tokens/token-balance.ts';
import type { Stamp } from '../../chain/lanes/stamp.ts';
import type { SignedTransaction } from '../../chain/transactions/compile.ts';
import * as buybackRounds from '../../db/buyback/buyback-rounds.ts';
import type { BuybackRound } from '../../db/buyback/buyback-rounds.ts';
import { reservedDevBuys } from '../../db/inventory/dev-buy-reservations.ts';
import { buybackSwapPurpose } from '../../domain/buyback/buyback.ts';
import { finalizedMovement, gainOf } from '../money/movement.ts';
import { type Moved, moveOnce } from '../money/move-once.ts';
import { agreedAverageOf } from '../trading/average.ts';
import { MarketRefusedError } from '../trading/order.ts';
import { buildMarketSwap, sendAsBundle } from '../trading/swap.ts';
import type { BuybackDeps } from './deps.ts';
import { type BuybackMarket, readMarket } from './market.ts';

/** Rent of the token account that a first purchase opens, in lamports. */
const ACCOUNT_LAMPORTS = 2_157_600n;

/**
 * Swaps a purchase's budget, once, as much of it as the limits allow; what is left stays in the budget. Throws a
 * MarketRefusedError where they allow nothing at present.
 */
export async function buyTokens(deps: BuybackDeps, round: BuybackRound): Promise<void> {
  const market = await readMarket(deps, round);
  const purpose = buybackSwapPurpose(round.id);
  const moved = await moveOnce(deps, {
    purpose,
    payer: deps.signers.platform.publicKey,
    lamports: deps.settings.tipLamports + ACCOUNT_LAMPORTS,
    assertDue: async (tx) => {
      const isDue = await buybackRounds.lockPlanned(tx, round.id, round.mostRaw);
      if (!isDue) throw new Error(`${purpose} is not planned with this budget any more`);
    },
    build: (stamp) => buildSwap(deps, round, market, stamp),
    send: (wire) => sendAsBundle(deps, wire),
  });
  if (!moved) throw new Error(`${purpose} moved nothing`);
  await bookSwap(deps, round, market, moved);
}

async function buildSwap(
  deps: BuybackDeps,
  round: BuybackRound,
  { base, quote, pool }: BuybackMarket,
  stamp: Stamp,
): Promise<SignedTransaction> {
  const { signers, rules } = deps;
  const averagePrice = await agreedAverageOf(deps, round.mint, rules.averageMinutes);
  await buybackRounds.noteAverage(deps.db, round.id, averagePrice);
  const mostRaw = await payableRaw(deps, round, quote);
  const order = { base, quote, side: 'buy', mostRaw, averagePrice, limits: rules.limits } as const;
  const parties = { wallet: signers.treasury, payer: signers.platform };
  return buildMarketSwap(deps, { ...order, ...parties, pool }, stamp);
}

/** The budget is what the ledger says; the treasury may hold less of it, because dev buys of launches use the same stock. */
async function payableRaw(
  { db, rpc, signers }: BuybackDeps,
  { quoteMint, mostRaw }: BuybackRound,
  quote: BuybackMarket['quote'],
): Promise<bigint> {
  const [held, reserved] = await Promise.all([
    mostTokens(rpc, quote, signers.treasury.publicKey),
    reservedDevBuys(db, quoteMint),
  ]);
  const payable = held - reserved;
  if (payable <= 0n)
    throw new MarketRefusedError(`the treasury holds ${held} raw units, dev buys may take ${reserved}`);
  return payable < mostRaw ? payable : mostRaw;
}

/** Books what a finalized swap took and brought, from its own balance changes: net of whatever tax was withheld. */
async function bookSwap(deps: BuybackDeps, round: BuybackRound, market: BuybackMarket, moved: Moved) {
  const landed = await finalizedMovement(deps, moved);
  const treasury = deps.signers.treasury.publicKey;
  const spentRaw = -gainOf(landed, tokenAccountOf(market.quote, treasury));
  const boughtRaw = gainOf(landed, market.account);
  const { signature, slot } = landed;
  await buybackRounds.settleSwap(deps.db, round.id, {
    spentRaw,
    boughtRaw,
    signature,
    slot: BigInt(slot),
  });
  deps.logger.info(
    { signature, spentRaw: String(spentRaw), boughtRaw: String(boughtRaw) },
    'tokens bought with revenue',
  );
}
