import { benchCommand } from './bench-command.ts';
import { connect } from '../db/connect.ts';
import { createRig } from './launch-latency/rig.ts';
import { beginAirdrops, beginRounds, openWork } from './open-rounds/open-work.ts';
import { launchCoins, tradeEach } from './open-rounds/reward-coins.ts';
import { measureTrades, type TradeTimes } from './open-rounds/trade-times.ts';
import { withOwnStack } from './own-stack.ts';
import { quantile } from './statistics.ts';
import { wholeNumber } from './whole-number.ts';

interface Options {
  readonly json?: true;
  readonly rounds: number;
  readonly airdrops: number;
  readonly seconds: number;
}

/** Longer than the measurement. */
const WINDOW = { REWARD_SNAPSHOT_WINDOW_SLOTS: '1200' };

const LAUNCHES_OF_AN_AIRDROP = 8;

interface Report {
  readonly without: TradeTimes;
  readonly beside: TradeTimes;
  readonly rounds: number;
  readonly airdrops: number;
}

async function measure({ json, rounds, airdrops, seconds }: Options): Promise<void> {
  const report = await withOwnStack(
    async (own): Promise<Report> => {
      const rig = await createRig(own, rounds + airdrops * (1 + LAUNCHES_OF_AN_AIRDROP));
      const db = connect(own.stack.databaseUrl, { applicationName: 'slipway-bench' });
      try {
        const ground = { own, rig, db };
        const mints = await launchCoins(ground, rounds);
        await tradeEach(ground, mints);
        const without = await measureTrades(ground, mints, seconds);
        await beginRounds(ground, rounds);
        await beginAirdrops(ground, airdrops);
        const beside = await measureTrades(ground, mints, seconds);
        return { without, beside, ...(await openWork(ground)) };
      } finally {
        await db.destroy();
        await rig.close();
      }
    },
    { variables: WINDOW },
  );
  console.log(json === true ? JSON.stringify({ bench: 'open-rounds', ...report }) : describe(report));
}

function describe({ without, beside, rounds, airdrops }: Report): string {
  const line = (name: string, { ms }: TradeTimes) =>
    `${name}: ${ms.length} trades, p50 ${quantile(ms, 0.5).toFixed(0)} ms, p95 ${quantile(ms, 0.95).toFixed(0)} ms`;
  const ratio = quantile(beside.ms, 0.95) / quantile(without.ms, 0.95);
  return [
    line('nothing open', without),
    line(`beside rounds and airdrops, of which ${rounds} and ${airdrops} were still open at the end`, beside),
    `p95: ${ratio.toFixed(2)} times`,
  ].join('\n');
}

await benchCommand('open-rounds')
  .option('--rounds <count>', 'reward rounds that are open', wholeNumber(1, 1_000), 200)
  .option('--airdrops <count>', 'airdrops that are under way', wholeNumber(1, 50), 10)
  .option('--seconds <count>', 'how long trades are measured, each time', wholeNumber(5, 300), 60)
  .action(measure)
  .parseAsync();
