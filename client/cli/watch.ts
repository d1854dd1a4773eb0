import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import type { Answer } from '../index.ts';
import { waitFor } from '../progress/follow.ts';
import { apiOf, command, type CommonOptions, positive } from './common.ts';
import { print, say } from './say.ts';

interface WatchOptions extends CommonOptions {
  readonly every: number;
}

/** A signature is longer. */
const LONGEST_ADDRESS = 44;

export function watchCommand(): Command {
  return command('watch', 'Follow a launch until it is final, or the trades of a token until Ctrl-C')
    .argument('<what>', 'a payment signature, or a mint')
    .option('--every <seconds>', 'pause between two looks', positive, 2)
    .action((what: string, options: WatchOptions) =>
      what.length > LONGEST_ADDRESS ? watchLaunch(what, options) : watchTrades(what, options),
    );
}

const FINAL: readonly string[] = ['finalized', 'refunded', 'not_landed'];

async function watchLaunch(paymentSignature: string, options: WatchOptions): Promise<void> {
  const api = apiOf(options);
  let told = 0;
  for (;;) {
    const launch = await asked(
      () => api.ask('GET /launches/{paymentSignature}', { path: { paymentSignature } }),
      options,
    );
    for (const state of launch?.states.slice(told) ?? [])
      print(state, options.json === true, [`${state.at}  ${state.state}`]);
    told = launch?.states.length ?? told;
    if (launch?.states.some(({ state }) => FINAL.includes(state))) return;
    await sleep(options.every * 1_000);
  }
}

async function watchTrades(mint: string, options: WatchOptions): Promise<void> {
  const api = apiOf(options);
  const told = new Set<string>();
  for (;;) {
    const answer = await asked(() => api.ask('GET /tokens/{mint}/trades', { path: { mint } }), options);
    for (const trade of [...(answer?.trades ?? [])].reverse()) {
      const id = `${trade.signature} ${trade.index}`;
      if (!told.has(id)) print(trade, options.json === true, [lineOf(trade)]);
      told.add(id);
    }
    await sleep(options.every * 1_000);
  }
}

type Trade = Answer<'GET /tokens/{mint}/trades'>['trades'][number];

function lineOf({ tradedAt, side, amountTokens, quoteTokens, wallet }: Trade): string {
  return `${tradedAt}  ${side.padEnd(4)}  ${amountTokens} for ${quoteTokens}  ${wallet}`;
}

/** Null after a temporary failure, which is reported. */
async function asked<T>(ask: () => Promise<T>, { every }: WatchOptions): Promise<T | null> {
  try {
    return await ask();
  } catch (error) {
    const afterMs = waitFor(error, { pollMs: every * 1_000 });
    if (afterMs === null || !(error instanceof Error)) throw error;
    say(`waiting: ${error.message}`);
    await sleep(afterMs);
    return null;
  }
}
