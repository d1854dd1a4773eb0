import { createBuybackActivities } from '../activities/buyback/activities.ts';
import { createClaimJanitorActivities } from '../activities/claim/janitor.ts';
import { createFeeSweepActivities } from '../activities/fee-sweep/activities.ts';
import { createGraduationActivities } from '../activities/market/graduation.ts';
import { createHolderCountActivities } from '../activities/market/holder-count.ts';
import { createLaunchJanitorActivities } from '../activities/launch/janitor.ts';
import { signReceipts } from '../activities/launch/receipts.ts';
import { createSealedLogActivities } from '../activities/proof/activities.ts';
import { createReconcileActivities } from '../activities/money/reconcile/activities.ts';
import { createRestockActivities } from '../activities/restock/activities.ts';
import { createRewardActivities } from '../activities/reward/activities.ts';
import { createLaunchWalletActivities } from '../activities/launch/empty-wallets.ts';
import { createJupiterSwaps, JUPITER_PROGRAM_ID } from '../chain/aggregator/jupiter-swaps.ts';
import { BUYBACK_ROUND } from '../workflows/buyback/messages.ts';
import { CLAIM_JANITOR_ROUND, startClaim, wakeClaim } from '../workflows/claim/messages.ts';
import { FEE_SWEEP_ROUND } from '../workflows/fee-sweep/messages.ts';
import { LAUNCH_JANITOR_ROUND, LAUNCH_WALLETS_ROUND, startLaunch } from '../workflows/launch/messages.ts';
import { GRADUATION_ROUND, HOLDER_COUNT_ROUND } from '../workflows/market/messages.ts';
import { RECONCILE_ROUND } from '../workflows/money/messages.ts';
import { SEALED_LOG_ROUND } from '../workflows/proof/messages.ts';
import { RESTOCK_ROUND } from '../workflows/restock/messages.ts';
import { REWARD_ROUNDS } from '../workflows/reward/messages.ts';
import { createBuybackMeters } from './buyback/meters.ts';
import { createFeeSweepMeters } from './fee-sweep/meters.ts';
import { marketDepsOf } from './market/deps.ts';
import { comparisonDepsOf } from './money/deps.ts';
import { createFindingMeters } from './money/meters.ts';
import { createInventoryMeters } from './restock/meters.ts';
import { createRewardMeters } from './reward/meters.ts';
import type { RoundRow } from './row.ts';

/** Planning of reward rounds takes less, and their windows last longer. */
const LOG_BEHIND_ROUNDS_SECONDS = 300;

/** Rounds that schedules start. */
export const ROUNDS: readonly RoundRow[] = [
  {
    ...LAUNCH_JANITOR_ROUND,
    everySeconds: ({ launch }) => launch.janitorEverySeconds,
    activities: (shared) =>
      createLaunchJanitorActivities({
        ...shared,
        eventDays: shared.config.events.keptDays,
        signReceipts: () => signReceipts(shared),
        startLaunch: (quoteId) => startLaunch(shared.client, quoteId),
      }),
  },
  {
    ...LAUNCH_WALLETS_ROUND,
    everySeconds: ({ launch }) => launch.walletsEverySeconds,
    activities: createLaunchWalletActivities,
  },
  {
    ...CLAIM_JANITOR_ROUND,
    everySeconds: ({ claim }) => claim.janitorEverySeconds,
    activities: ({ db, logger, client }) => {
      const starter = { start: startClaim.bind(null, client), wake: wakeClaim.bind(null, client) };
      return createClaimJanitorActivities({ db, logger, starter });
    },
  },
  {
    ...GRADUATION_ROUND,
    everySeconds: ({ market }) => market.graduationEverySeconds,
    // Hides when prices are sampled that become steady.
    jitterSeconds: ({ market }) => market.graduationEverySeconds,
    activities: (shared) => createGraduationActivities(marketDepsOf(shared)),
  },
  {
    ...HOLDER_COUNT_ROUND,
    everySeconds: ({ market }) => market.holderCountEverySeconds,
    activities: (shared) => createHolderCountActivities({ ...shared, most: shared.config.market.holderCounts }),
  },
  {
    ...RESTOCK_ROUND,
    // Nothing until RESTOCK_DAY_LAMPORTS and a pair's marks are set.
    everySeconds: ({ restock }) => restock.everySeconds,
    activities: (shared) => {
      const { url, key } = shared.config.prices.jupiter;
      return createRestockActivities({
        ...shared,
        aggregator: createJupiterSwaps({ url, ...(key !== undefined && { apiKey: key }) }),
        programs: [JUPITER_PROGRAM_ID],
        limits: shared.config.restock.limits,
      });
    },
    meters: createInventoryMeters,
  },
  {
    ...FEE_SWEEP_ROUND,
    everySeconds: ({ feeSweep }) => feeSweep.everySeconds,
    activities: (shared) => {
      const { feeSweep, trading } = shared.config;
      return createFeeSweepActivities({ ...shared, rules: { ...feeSweep, averageMinutes: trading.averageMinutes } });
    },
    meters: createFeeSweepMeters,
  },
  {
    ...BUYBACK_ROUND,
    everySeconds: ({ buyback }) => buyback.everySeconds,
    // Hides when the platform buys.
    jitterSeconds: ({ buyback }) => buyback.windowSeconds,
    activities: (shared) => {
      const { buyback, trading, platformToken } = shared.config;
      return createBuybackActivities({ ...shared, rules: { ...buyback, ...trading, platformToken } });
    },
    meters: createBuybackMeters,
  },
  {
    ...REWARD_ROUNDS,
    everySeconds: ({ reward }) => reward.everySeconds,
    activities: (shared) => {
      const { reward, trading } = shared.config;
      return createRewardActivities({ ...shared, rewards: { ...reward, ...trading } });
    },
    meters: createRewardMeters,
  },
  {
    ...SEALED_LOG_ROUND,
    // Nothing without a new receipt or wallet, or an open reward round.
    everySeconds: ({ proof }) => proof.logEverySeconds,
    // Reward rounds of the same hour are open then, and have not observed: the log has prices for them.
    offsetSeconds: ({ proof }) => Math.min(LOG_BEHIND_ROUNDS_SECONDS, Math.floor(proof.logEverySeconds / 2)),
    activities: createSealedLogActivities,
  },
  {
    ...RECONCILE_ROUND,
    everySeconds: ({ money }) => money.reconcileEverySeconds,
    activities: (shared) => createReconcileActivities(comparisonDepsOf(shared)),
    meters: createFindingMeters,
  },
];
