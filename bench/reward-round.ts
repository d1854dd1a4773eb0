import { Command } from 'commander';
import type { Variables } from '../config/environment.ts';
import { startMarketIndex } from '../workflows/market/messages.ts';
import { endWorker, onlyCounted, quietRuntime, withCountedWorker } from './calls/ground.ts';
import { describe } from './calls/report.ts';
import { type OwnStack, withOwnStack } from './own-stack.ts';
import { createRig, type Rig } from './launch-latency/rig.ts';
import { type CoinGround, launchHeld } from './reward-round/coin.ts';
import { measureRounds, type MeasuredRound, ROUND_ACTIVITIES } from './reward-round/round.ts';
import { wholeNumber } from './whole-number.ts';

type Options = { readonly json?: true; readonly endpoints?: number; readonly looks?: true };

/** Coins whose rounds are measured together, and how many hold each. */
interface Case {
  readonly coins: number;
  readonly holders: number;
}

const CASES: readonly Case[] = [
  { coins: 1, holders: 3 },
  { coins: 1, holders: 60 },
  { coins: 8, holders: 3 },
];

/** Endpoints that are configured: one alone, and two, which a quorum asks both. */
const ENDPOINTS = [1, 2] as const;

/** The usual window is 40 minutes long; how often a round wakes in it does not depend on that. */
const WINDOW = { REWARD_SNAPSHOT_WINDOW_SLOTS: '180', REWARD_SALE_WINDOW_SECONDS: '5' };

async function measure({ json, endpoints, looks }: Options): Promise<void> {
  quietRuntime();
  const options = { variables: looks === true ? {} : { LOCAL_STREAM: '1' } };
  const configured = endpoints === undefined ? ENDPOINTS : [endpoints];
  const all = await withOwnStack(async (own) => {
    const coins = CASES.reduce((sum, one) => sum + one.coins, 0);
    const rig = await createRig(own, configured.length * coins);
    try {
      const variables = { ...(await endWorker(own)), ...WINDOW };
      const measured: MeasuredRound[] = [];
      for (const count of configured) measured.push(...(await measureWith(own, rig, variables, count)));
      return measured;
    } finally {
      await rig.close();
    }
  }, options);
  console.log(json === true ? JSON.stringify({ bench: 'reward-round', measured: all }) : report(all));
}

function measureWith(own: OwnStack, rig: Rig, variables: Variables, endpoints: number): Promise<MeasuredRound[]> {
  return withCountedWorker(variables, endpoints, onlyCounted(ROUND_ACTIVITIES), async (ground) => {
    await startMarketIndex(rig.temporal);
    const measured: MeasuredRound[] = [];
    for (const one of CASES) measured.push(await measureCase({ own, rig, ground }, one));
    return measured;
  });
}

async function measureCase(coinGround: CoinGround, { coins, holders }: Case): Promise<MeasuredRound> {
  const mints: string[] = [];
  for (let coin = 0; coin < coins; coin++) mints.push(await launchHeld(coinGround, holders));
  process.stderr.write(`${coins} coins with ${holders} holders are there\n`);
  return measureRounds(coinGround, mints, holders);
}

function report(all: readonly MeasuredRound[]): string {
  const moved = all.map(
    ({ what, endpoints, transactions, payoutTransactions, methods }) =>
      `${what}, endpoints: ${endpoints}: ${transactions} transactions, ${payoutTransactions} of them payouts, ` +
      `${(methods['getProgramAccounts'] ?? 0).toFixed(1)} scans`,
  );
  return [describe(all), '', ...moved].join('\n');
}

await new Command('node bench/reward-round.ts')
  .description(
    'Counts what a reward round takes from its plan to its end: activities and events of its workflow, calls to RPC endpoints, scans\n' +
      'of all accounts of a token (getProgramAccounts) and statements. On a stack of its own whose worker is this process, one coin\n' +
      'alone with 3 and with 60 holders, and eight coins together. About 7 minutes for each number of endpoints.',
  )
  .option('--json', 'print the figures as one line of JSON')
  .option('--looks', 'the index of the market looks at pools, and follows no stream')
  .option('--endpoints <count>', 'only with so many endpoints', wholeNumber(1, 3))
  .action(measure)
  .parseAsync();
