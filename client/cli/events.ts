import type { Command } from 'commander';
import { ApiError, readEvents, type SlipwayEvent } from '../index.ts';
import { apiOf, command, type CommonOptions, positive } from './common.ts';
import { cursorFile, type CursorFile } from './cursor-file.ts';
import { createEventJudge, lineOf } from './events-verify.ts';
import { print, printedAll, say } from './say.ts';
import { collected } from './verifying.ts';

const VERIFY =
  'check each event that names a transaction by --rpc: it is on the chain at the stated commitment and slot, and ' +
  'moved what the event says. Exit code 0: all is proven; 1: a difference; 2: something cannot be proven from here. ' +
  'The signature of a received webhook: slipway verify webhook';

interface EventsCommandOptions extends CommonOptions {
  readonly verify?: true;
  readonly rpc?: readonly string[];
  readonly after?: string;
  readonly follow?: true;
  readonly state?: string;
  readonly every: number;
  readonly types?: string;
  readonly mint?: string;
  readonly wallet?: string;
  readonly creator?: string;
}

export function eventsCommand(): Command {
  return command('events', 'Print what happened on the platform, oldest first; with --follow until Ctrl-C')
    .option('--follow', 'go on with what happens from now on')
    .option('--verify', VERIFY)
    .option('--rpc <url>', 'an RPC endpoint of your own choice, for --verify; twice: responses are compared', collected)
    .option('--after <cursor>', 'begin behind this cursor; `oldest` or `now` (default: --state, else oldest)')
    .option('--state <file>', 'keeps the cursor of the last printed event: the same command goes on there')
    .option('--every <seconds>', 'pause between two requests of --follow', positive, 1)
    .option('--types <list>', 'only these types, separated by commas')
    .option('--mint <mint>', 'only events of this token or pair')
    .option('--wallet <address>', 'only events about this wallet')
    .option('--creator <address>', 'only events of tokens of this creator')
    .action(run);
}

async function run({ state, every, ...options }: EventsCommandOptions): Promise<void> {
  if (options.rpc && !options.verify) throw new Error('--rpc is for --verify, which is missing: nothing is checked');
  const judge = options.verify ? createEventJudge(options) : null;
  const stop = stopOnInterrupt(judge !== null);
  const file = state === undefined ? null : cursorFile(state);
  const after = options.after ?? (await file?.read()) ?? 'oldest';
  const pages = readEvents({
    ...filterOf(options),
    api: apiOf(options),
    after,
    follow: options.follow === true,
    pollMs: every * 1_000,
    ...(stop && { signal: stop }),
  });
  try {
    for await (const { events, cursor } of pages) {
      await (judge ? judge.print(events) : printPlainly(events, options));
      // The cursor is kept only once its events are out.
      await printedAll();
      await file?.write(cursor);
    }
  } catch (error) {
    if (!stop?.aborted) throw error instanceof ApiError ? lostPlace(error, file) : error;
  }
  judge?.end();
}

function printPlainly(events: readonly SlipwayEvent[], { json }: CommonOptions): void {
  for (const event of events) print(event, json === true, [lineOf(event)]);
}

/** Ctrl-C ends a verification with its summary and exit code. */
function stopOnInterrupt(isWanted: boolean): AbortSignal | null {
  if (!isWanted) return null;
  const stop = new AbortController();
  process.once('SIGINT', () => stop.abort());
  return stop.signal;
}

function filterOf({ types, mint, wallet, creator }: Omit<EventsCommandOptions, 'every'>) {
  return {
    ...(types !== undefined && { types }),
    ...(mint !== undefined && { mint }),
    ...(wallet !== undefined && { wallet }),
    ...(creator !== undefined && { creator }),
  };
}

function lostPlace(error: ApiError, file: CursorFile | null): ApiError | Error {
  const { oldestCursor } = error.beside;
  // By 404, of earlier releases by 410.
  if (typeof oldestCursor !== 'string') return error;
  const where = file === null ? '' : ` of ${file.path}`;
  say(`begin again with --after ${oldestCursor}; read from the lists what was between`);
  return new Error(`the cursor${where} is too old: ${error.message}`, { cause: error });
}
