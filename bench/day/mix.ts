import { setTimeout as sleep } from 'node:timers/promises';
import type { Keypair } from '@solana/web3.js';
import { errorText } from '../../domain/error-text.ts';
import { prepareLaunch } from '../launch-latency/prepare.ts';
import { type OpenRoundsGround, openTrader } from '../open-rounds/reward-coins.ts';
import { timeOfTrade } from '../open-rounds/trade-times.ts';
import type { Pace } from './anchors.ts';

/** What the mix came to. Times in ms. */
export interface MixTimes {
  /** From a submit to `completed`. */
  readonly launches: readonly number[];
  /** From when a trade was sent until the row was there that the API shows. */
  readonly trades: readonly number[];
  /** Answers of the API, by path. */
  readonly reads: Readonly<Record<string, readonly number[]>>;
  /** What did not come to its end, and why. */
  readonly failures: readonly string[];
}

/** What readers ask for, in turn: lists, sums and one token. */
const PATHS = ['/tokens', '/tokens?page=2000', '/stats', '/rewards?limit=100', '/launches', '/revenue', '/tokens/MINT'];

/** Does all of it side by side for so many ms, each at its own pace, and waits for what has begun. */
export async function runMix(
  ground: OpenRoundsGround,
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

/** Begins something anew after each pause, whether the one before has ended or not, as clients do. */
async function everyMs(pauseMs: number, forMs: number, begin: (turn: number) => Promise<void>): Promise<void> {
  const [begun, started] = [performance.now(), new Array<Promise<void>>()];
  for (let turn = 0; turn * pauseMs < forMs; turn++) {
    await sleep(Math.max(0, begun + turn * pauseMs - performance.now()));
    started.push(begin(turn));
  }
  await Promise.all(started);
}

async function launchOne({ rig }: OpenRoundsGround): Promise<number> {
  const { quoteId, ...submission } = await prepareLaunch(rig);
  const begun = performance.now();
  const { status } = await rig.api.ask('POST /launches/submit', { body: { ...submission, logo: rig.wish.logo } });
  if (status !== 'completed') throw new Error(`launch ${quoteId} is ${status} and was to be completed`);
  return performance.now() - begun;
}

function tradeOne(ground: OpenRoundsGround, mints: readonly string[], traders: readonly Keypair[], turn: number) {
  return timeOfTrade(ground, mints[turn % mints.length]!, traders[turn % mints.length]!);
}

async function readOne({ own }: OpenRoundsGround, path: string): Promise<number> {
  const begun = performance.now();
  const answer = await fetch(`${own.stack.apiUrl}${path}`);
  await answer.arrayBuffer();
  if (!answer.ok) throw new Error(`HTTP ${answer.status}`);
  return performance.now() - begun;
}
