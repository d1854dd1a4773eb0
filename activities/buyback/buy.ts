import { tokenAccountOf } from '../../chain/tokens/associated-account.ts';
import { readBalanceBounds } from '../../chain/tokens/token-balance.ts';
import type { Stamp } from '../../chain/lanes/stamp.ts';
import type { SignedTransaction } from '../../chain/transactions/compile.ts';
import * as buybackRounds from '../../db/buyback/buyback-rounds.ts';
import type { BuybackRound, PlannedBuyback } from '../../db/buyback/buyback-rounds.ts';
import { spendableStockOf } from '../../db/inventory/stock.ts';
import { buybackSwapPurpose } from '../../domain/buyback/buyback.ts';
import { isHeldBack } from '../../domain/token-balance.ts';
import { type FinalizedMovement, gainOf } from '../money/movement.ts';
import type { ClosableLeg } from '../money/work/leg.ts';
import { agreedAverageOf } from '../trading/average.ts';
import { MarketRefusedError } from '../trading/order.ts';
import { buildMarketSwap, sendAsBundle } from '../trading/swap.ts';
import type { BuybackDeps } from './deps.ts';
import { type BuybackMarket, readMarket } from './market.ts';

/** Rent of the account that a first purchase opens. */
const ACCOUNT_LAMPORTS = 2_157_600n;

/** Swaps revenue for the token. Building throws a MarketRefusedError if the limits allow nothing. */
export const swapLeg: ClosableLeg<BuybackDeps, BuybackRound, PlannedBuyback> = {
  purpose: ({ id }) => buybackSwapPurpose(id),
  async lock(tx, { id, mostRaw }) {
    const lock = await buybackRounds.lockPlanned(tx, id);
    // A plan with another budget is another purchase.
    return lock?.row.mostRaw === mostRaw ? lock : null;
  },
  async open(deps, round) {
    const market = await readMarket(deps, round);
    return {
      payer: deps.signers.platform.publicKey,
      lamports: deps.settings.tipLamports + ACCOUNT_LAMPORTS,
      build: (stamp) => buildSwap(deps, round, market, stamp),
      send: (wire) => sendAsBundle(deps, wire),
      book: (landed) => book(deps, round, market, landed),
    };
  },
  end: buybackRounds.cancel,
  ended: ({ number, mint }) => `purchase ${number} of ${mint} is withdrawn`,
};

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

/** The treasury may hold less than the budget, because dev buys use the same stock. */
async function payableRaw(
  { db, rpc, signers }: BuybackDeps,
  { quoteMint, mostRaw }: BuybackRound,
  quote: BuybackMarket['quote'],
): Promise<bigint> {
  const balance = async () => (await readBalanceBounds(rpc, quote, signers.treasury.publicKey)).least;
  const stock = await spendableStockOf(db, quoteMint, balance);
  if (!stock) throw new MarketRefusedError(`${quoteMint} is being bought itself`);
  const { state, spendableRaw: spendable, reservedRaw: reserved, toBurnRaw: toBurn } = stock;
  if (isHeldBack(state)) throw new MarketRefusedError(`the treasury's account of ${quoteMint} is frozen`);
  const payable = spendable - reserved - toBurn;
  if (payable <= 0n) {
    const taken = `dev buys may take ${reserved}, ${toBurn} are to be burned`;
    throw new MarketRefusedError(`the treasury can spend ${spendable} raw units, ${taken}`);
  }
  return payable < mostRaw ? payable : mostRaw;
}

async function book(
  { db, signers, logger }: BuybackDeps,
  round: BuybackRound,
  { quote, account }: BuybackMarket,
  landed: FinalizedMovement,
): Promise<void> {
  const { signature, slot } = landed;
  const spentRaw = -gainOf(landed, tokenAccountOf(quote, signers.treasury.publicKey));
  const boughtRaw = gainOf(landed, account);
  await buybackRounds.settleSwap(db, round.id, { spentRaw, boughtRaw, signature, slot: BigInt(slot) });
  logger.info({ signature, spentRaw: String(spentRaw), boughtRaw: String(boughtRaw) }, 'tokens bought with revenue');
}
