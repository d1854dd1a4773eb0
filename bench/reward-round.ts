import { Command } from 'commander';
import type { Variables } from '../config/environment.ts';
import { startMarketIndex } from '../workflows/market/messages.ts';
import { endWorker, onlyCounted, quietRuntime, withCountedWorker } from './calls/fixture.ts';
import { describe } from './calls/report.ts';
import { type OwnStack, withOwnStack } from './own-stack.ts';
import { createRig, type Rig } from './launch-latency/rig.ts';
import { type CoinFixture, launchHeld, settled } from './reward-round/coin.ts';
import { measureRounds, type MeasuredRound, ROUND_ACTIVITIES } from './reward-round/round.ts';
import { wholeNumber } from './whole-number.ts';

type Options = { readonly json?: true; readonly endpoints?: number; readonly looks?: true };

interface Case {
  readonly coins: number;
  readonly holders: number;
}

const CASES: readonly Case[] = [
  { coins: 1, holders: 3 },
  { coins: 1, holders: 60 },
  { coins: 8, holders: 3 },
];

/** One candidate a part. The usual is 20 minutes and 15 candidates: see bench/draw.ts. */
const WINDOW = { REWARD_SNAPSHOT_WINDOW_SLOTS: '60', REWARD_SALE_WINDOW_SECONDS: '5' };

async function measure({ json, endpoints = 1, looks }: Options): Promise<void> {
  quietRuntime();
  const options = { variables: looks === true ? {} : { LOCAL_STREAM: '1' } };
  const all = await withOwnStack(async (own) => {
    const coins = CASES.reduce((sum, one) => sum + one.coins, 0);
    const rig = await createRig(own, coins);
    try {
      const variables = { ...(await endWorker(own)), ...WINDOW };
      return await measureWith(own, rig, variables, endpoints);
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

async function measureCase(coinFixture: CoinFixture, { coins, holders }: Case): Promise<MeasuredRound> {
  const mints: string[] = [];
  for (let coin = 0; coin < coins; coin++) mints.push(await launchHeld(coinFixture, holders));
  await Promise.all(mints.map((mint) => settled(coinFixture, mint)));
  process.stderr.write(`${coins} coins with ${holders} holders are there\n`);
  const measured = await measureRounds(coinFixture, mints, holders);
  process.stderr.write(`${report([measured])}\n`);
  return measured;
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
      'alone with 3 and with 60 holders, and eight coins together. Each row is on stderr as soon as it is measured. About 8 minutes.',
  )
  .option('--json', 'print the figures as one line of JSON')
  .option('--looks', 'the index of the market looks at pools, and follows no stream')
  .option('--endpoints <count>', 'RPC endpoints of the worker; default 1, a quorum asks two', wholeNumber(1, 3))
  .action(measure)
  .parseAsync();
