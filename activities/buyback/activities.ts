import * as buybackRounds from '../../db/buyback/buyback-rounds.ts';
import * as flywheelTokens from '../../db/buyback/flywheel-tokens.ts';
import type { BuybackState } from '../../domain/buyback/buyback.ts';
import { carryOut } from '../money/work/carry-out.ts';
import type { BuybackDeps } from './deps.ts';
import { BUYBACK } from './kind.ts';
import { buybacksUnderWay, planBuybacks } from './plan.ts';
import { chainMoment } from '../../chain/rpc/chain-moment.ts';
import { MarketRefusedError } from '../trading/order.ts';

export type { BuybackDeps } from './deps.ts';

export type BuybackActivities = ReturnType<typeof createBuybackActivities>;

const DAY_MS = 24 * 60 * 60 * 1_000;

export function createBuybackActivities(deps: BuybackDeps) {
  return {
    async rankFlywheel(): Promise<number> {
      const { rankedDays, rankedTokens: tokens } = deps.rules;
      const { at } = await chainMoment(deps);
      const since = new Date(at.getTime() - rankedDays * DAY_MS);
      return flywheelTokens.rank(deps.db, { since, tokens });
    },

    buybacksUnderWay: () => buybacksUnderWay(deps),

    /** Ids of all open purchases, oldest first. */
    planBuybacks: () => planBuybacks(deps),

    /** Returns the state: `planned` while the market limits allow no swap, null if the plan was cancelled. */
    async buyBack(id: string): Promise<BuybackState | null> {
      const own = { ...deps, logger: deps.logger.child({ buyback: id }) };
      await buybackRounds.noteTry(deps.db, id);
      try {
        return (await carryOut(own, BUYBACK, id))?.state ?? null;
      } catch (error) {
        if (!(error instanceof MarketRefusedError)) throw error;
        own.logger.warn({ reason: error.message }, 'nothing is bought at present');
        return 'planned';
      }
    },
  };
}
