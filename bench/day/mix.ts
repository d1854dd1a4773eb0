import { setTimeout as sleep } from 'node:timers/promises';
import type { Keypair } from '@solana/web3.js';
import { errorText } from '../../domain/error-text.ts';
import { prepareLaunch } from '../launch-latency/prepare.ts';
import { type OpenRoundsFixture, openTrader } from '../open-rounds/reward-coins.ts';
import { timeOfTrade } from '../open-rounds/trade-times.ts';
import type { Pace } from './anchors.ts';

/** ms. */
export interface MixTimes {
  readonly launches: readonly number[];
  readonly trades: readonly number[];
  readonly reads: Readonly<Record<string, readonly number[]>>;
  readonly failures: readonly string[];
}

const PATHS = ['/tokens', '/tokens?page=2000', '/stats', '/rewards?limit=100', '/launches', '/revenue', '/tokens/MINT'];

export async function runMix(
  ground: OpenRoundsFixture,
  mints: readonly string[],
  pace: Pace,
  forMs: number,
): Promise<MixTimes> {
  const failures: string[] = [];
  const [launches, trades] = [new Array<number>(), new Array<number>()];
  const reads: Record<string, number[]> = Object.fromEntries(PATHS.map((path) => [path, []]));
  const traders = await Promise.all(mints.map(() => openTrader(ground, 4 + Math.ceil(forMs / pace.swapMs))));
  const counted = async (into: number[], what: string, work: () => Promise<number>): Promise<void> => {
    try {
      into.push(await work());
    } catch (error) {
      failures.push(`${what}: ${errorText(error)}`);
    }
  };
  await Promise.all([
    everyMs(pace.launchMs, forMs, () => counted(launches, 'a launch', () => launchOne(ground))),
    everyMs(pace.swapMs, forMs, (turn) => counted(trades, 'a trade', () => tradeOne(ground, mints, traders, turn))),
    everyMs(pace.readMs, forMs, (turn) => {
      const path = PATHS[turn % PATHS.length]!;
      return counted(reads[path]!, path, () => readOne(ground, path.replace('MINT', mints[turn % mints.length]!)));
    }),
  ]);
  return { launches, trades, reads, failures };
}

async function everyMs(pauseMs: number, forMs: number, begin: (turn: number) => Promise<void>): Promise<void> {
  const [begun, started] = [performance.now(), new Array<Promise<void>>()];
  for (let turn = 0; turn * pauseMs < forMs; turn++) {
    await sleep(Math.max(0, begun + turn * pauseMs - performance.now()));
    started.push(begin(turn));
  }
  await Promise.all(started);
}

async function launchOne({ rig }: OpenRoundsFixture): Promise<number> {
  const { quoteId, ...submission } = await prepareLaunch(rig);
  const begun = performance.now();
  const { status } = await rig.api.ask('POST /launches/submit', { body: { ...submission, logo: rig.wish.logo } });
  if (status !== 'completed') throw new Error(`launch ${quoteId} is ${status} and was to be completed`);
  return performance.now() - begun;
}

function tradeOne(ground: OpenRoundsFixture, mints: readonly string[], traders: readonly Keypair[], turn: number) {
  return timeOfTrade(ground, mints[turn % mints.length]!, traders[turn % mints.length]!);
}

async function readOne({ own }: OpenRoundsFixture, path: string): Promise<number> {
  const begun = performance.now();
  const answer = await fetch(`${own.stack.apiUrl}${path}`);
  await answer.arrayBuffer();
  if (!answer.ok) throw new Error(`HTTP ${answer.status}`);
  return performance.now() - begun;
}
