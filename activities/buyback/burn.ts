import { buildBurn } from '../../chain/transactions/burn.ts';
import * as burns from '../../db/burns.ts';
import * as buybackRounds from '../../db/buyback/buyback-rounds.ts';
import type { BoughtBuyback, BuybackRound } from '../../db/buyback/buyback-rounds.ts';
import { transaction } from '../../db/connect.ts';
import { buybackBurnPurpose } from '../../domain/buyback/buyback.ts';
import { worthUsd } from '../../domain/pool-price.ts';
import { type FinalizedMovement, gainOf } from '../money/movement.ts';
import type { ClosableLeg } from '../money/work/leg.ts';
import type { BuybackDeps } from './deps.ts';
import { type BuybackMarket, readMarket } from './market.ts';

/** Burns exactly what the swap brought, valued at the amount paid. */
export const burnLeg: ClosableLeg<BuybackDeps, BuybackRound, BoughtBuyback> = {
  purpose: ({ id }) => buybackBurnPurpose(id, 1),
  lock: (tx, { id }) => buybackRounds.lockBought(tx, id),
  async open(deps, round) {
    const { id, boughtRaw } = round;
    if (boughtRaw === null) throw new Error(`purchase ${id} is bought, but has no swap`);
    const market = await readMarket(deps, round);
    const { treasury: wallet, platform: payer } = deps.signers;
    const frame = { payer, wallet, computeUnitPrice: deps.settings.computeUnitPrice };
    return {
      payer: payer.publicKey,
      build: async (stamp) => (boughtRaw > 0n ? buildBurn({ ...frame, stamp }, market.base, boughtRaw) : null),
      book: (landed) => book(deps, round, market, landed),
    };
  },
  end: buybackRounds.finishUnburned,
  ended: ({ number, mint, boughtRaw }) =>
    `purchase ${number} of ${mint} is closed; ${boughtRaw} raw tokens are not burned`,
};

async function book(
  { db, logger }: BuybackDeps,
  { id, kind, mint, quoteUsd, spentRaw }: BuybackRound,
  { quote, account }: BuybackMarket,
  landed: FinalizedMovement,
): Promise<void> {
  const valueUsd = quoteUsd === null ? null : worthUsd(spentRaw ?? 0n, quote.decimals, quoteUsd);
  const { signature, at: burnedAt } = landed;
  const amountRaw = -gainOf(landed, account);
  await transaction(db, async (tx) => {
    if (!(await buybackRounds.finish(tx, id))) return;
    await burns.record(tx, { mint, kind, valueUsd, amountRaw, signature, burnedAt });
  });
  logger.info({ signature, amountRaw: String(amountRaw), valueUsd }, 'bought tokens burned');
}
