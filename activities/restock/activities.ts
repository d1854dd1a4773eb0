import type { RestockRoundState } from '../../domain/restock/restock.ts';
import { carryOut } from '../money/work/carry-out.ts';
import type { RestockDeps } from './deps.ts';
import { RESTOCK } from './kind.ts';
import { openRounds, planRestocks } from './plan.ts';

export type { RestockDeps } from './deps.ts';

export type RestockActivities = ReturnType<typeof createRestockActivities>;

export function createRestockActivities(deps: RestockDeps) {
  return {
    openRestocks: () => openRounds(deps),

    /** Returns the ids of all open rounds, oldest first. */
    planRestocks: () => planRestocks(deps),

    async buyForInventory(roundId: string): Promise<RestockRoundState> {
      const own = { ...deps, logger: deps.logger.child({ roundId }) };
      const round = await carryOut(own, RESTOCK, roundId);
      if (!round) throw new Error(`there is no restock round ${roundId}`);
      return round.state;
    },
  };
}
