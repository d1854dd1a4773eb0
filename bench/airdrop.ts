import { Option } from 'commander';
import { benchCommand } from './bench-command.ts';
import { connect } from '../db/connect.ts';
import { createRig } from './launch-latency/rig.ts';
import { beginAirdrops } from './open-rounds/open-work.ts';
import { launchCoins, type OpenRoundsFixture, tradeEach } from './open-rounds/reward-coins.ts';
import { measureTrades, type TradeTimes } from './open-rounds/trade-times.ts';
import { withOwnStack } from './own-stack.ts';
import { quantile } from './statistics.ts';
import { until } from './until.ts';
import { wholeNumber } from './whole-number.ts';

/** By the tier that delivers to so many wallets. */
const WALLETS = { top1000: '1,000', top5000: '5,000' } as const;

type Tier = keyof typeof WALLETS;

interface Options {
  readonly json?: true;
  readonly seconds: number;
  readonly tier: Tier;
}

const COINS = 8;

/** With 16 transactions at once it takes eleven minutes. */
const GIVE_UP_MS = 900_000;

/** Of the creator: the delivery's rent and fees. */
const LAUNCHES_OF_AN_AIRDROP = 40;

interface Report {
  readonly tier: Tier;
  readonly without: TradeTimes;
  readonly beside: TradeTimes;
  readonly transactions: number;
  /** From the launch's end, which waits until it is final, to the last delivery that is final. */
  readonly deliverySeconds: number;
}

async function measure({ json, seconds, tier }: Options): Promise<void> {
  const report = await withOwnStack(async (own): Promise<Report> => {
    const rig = await createRig(own, COINS + LAUNCHES_OF_AN_AIRDROP);
    const db = connect(own.stack.databaseUrl, { applicationName: 'slipway-bench' });
    try {
      const fixture = { own, rig, db };
      const mints = await launchCoins(fixture, COINS);
      await tradeEach(fixture, mints);
      const without = await measureTrades(fixture, mints, seconds);
      await beginAirdrops(fixture, 1, tier);
      const begun = performance.now();
      const delivery = untilDelivered(fixture).then(() => (performance.now() - begun) / 1_000);
      const beside = await measureTrades(fixture, mints, seconds);
      const deliverySeconds = await delivery;
      const { transactions } = await countBatches(fixture);
      return { tier, without, beside, transactions, deliverySeconds };
    } finally {
      await db.destroy();
      await rig.close();
    }
  });
  console.log(json === true ? JSON.stringify({ bench: 'airdrop', ...report }) : describe(report));
}

async function countBatches({ db }: OpenRoundsFixture) {
  const rows = db
    .selectFrom('airdropBatches')
    .select(({ fn }) => [fn.countAll<bigint>().as('all'), fn.count<bigint>('deliveredAt').as('delivered')]);
  const { all, delivered } = await rows.executeTakeFirstOrThrow();
  return { transactions: Number(all), delivered: Number(delivered) };
}

function untilDelivered(fixture: OpenRoundsFixture): Promise<true> {
  return until(
    'a delivered airdrop',
    async () => {
      const { transactions, delivered } = await countBatches(fixture);
      return (transactions > 0 && delivered === transactions) || null;
    },
    GIVE_UP_MS,
  );
}

function describe({ tier, without, beside, transactions, deliverySeconds }: Report): string {
  const line = (name: string, { ms }: TradeTimes) =>
    `${name}: ${ms.length} trades, p50 ${quantile(ms, 0.5).toFixed(0)} ms, p95 ${quantile(ms, 0.95).toFixed(0)} ms`;
  const ratio = (share: number) => (quantile(beside.ms, share) / quantile(without.ms, share)).toFixed(2);
  return [
    `${WALLETS[tier]} wallets, ${transactions} transactions: delivered in ${deliverySeconds.toFixed(0)} s`,
    line('no airdrop', without),
    line('beside the airdrop', beside),
    `p50: ${ratio(0.5)} times, p95: ${ratio(0.95)} times`,
  ].join('\n');
}

await benchCommand('airdrop')
  .option('--seconds <count>', 'how long trades are measured, each time', wholeNumber(5, 300), 60)
  .addOption(new Option('--tier <name>', 'recipients of the airdrop').choices(Object.keys(WALLETS)).default('top5000'))
  .action(measure)
  .parseAsync();
