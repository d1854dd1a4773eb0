import { setTimeout as sleep } from 'node:timers/promises';
import { BASE_PATH } from '../../../api/base-path.ts';
import { type OwnStack, withOwnStack } from '../../../bench/own-stack.ts';
import { createApi } from '../../../client/index.ts';
import { connect, type Db } from '../../../db/connect.ts';
import * as eventLog from '../../../db/events/event-log.ts';
import { toCursor } from '../../../domain/events/event-cursor.ts';
import type { EventPlace } from '../../../domain/events/stored-event.ts';
import { readAll } from '../../support/events/read-events.ts';
import { startUnsteadyFront, type UnsteadyFront } from '../../support/events/unsteady-front.ts';
import { eventually } from '../../support/platform/eventually.ts';
import { bookBurn } from '../../support/fee-sweep/revenue-rows.ts';
import { chromiumPath } from '../../support/web/chromium-path.ts';
import { openChromium } from '../../support/web/chromium.ts';
import { campaignCommand, runCampaign } from '../command.ts';
import { LIBRARIES, type Library, openWorkplace, type Reading, startReading } from './libraries.ts';

/** Longest that a library may take to catch up, ms. */
const CATCH_UP_MS = 90_000;

/** A client on a busy machine may have to connect a second time, ms. */
const SETTLE_MS = 15_000;

interface Reader {
  readonly library: Library;
  readonly front: UnsteadyFront;
  readonly reading: Reading;
}

interface Ground extends OwnStack {
  readonly db: Db;
  readonly mint: string;
  readonly from: EventPlace;
  readonly readers: readonly Reader[];
}

/** Breaks the connections of all readers, or their patience; a fact is written meanwhile. */
type Trial = (ground: Ground, meanwhile: () => Promise<unknown>) => Promise<unknown>;

const trials = (idleMinutes: number): Record<string, Trial> => ({
  'no fault': (_, meanwhile) => meanwhile(),
  'a cut': ({ readers }, meanwhile) =>
    Promise.all([...readers.map(({ front }) => front.restart(1_000)), sleep(500).then(meanwhile)]),
  'a 502 for 5 s': ({ readers }, meanwhile) =>
    Promise.all([...readers.map(({ front }) => front.answer502(5_000)), sleep(2_000).then(meanwhile)]),
  'an API restart': async ({ stack }, meanwhile) => {
    const spec = stack.specOf('api');
    if (spec === undefined) throw new Error('the stack has no API');
    await stack.end('api');
    await meanwhile();
    await stack.start(spec);
  },
  [`${idleMinutes} idle minutes`]: async (_, meanwhile) => {
    await sleep(idleMinutes * 60_000);
    await meanwhile();
  },
});

interface Row {
  readonly library: Library;
  /** By trial: `whole`, or what is wrong. */
  readonly verdicts: Readonly<Record<string, string>>;
  /** Connections that the library made while nothing happened. */
  readonly idleConnections: number;
}

async function tryAll(own: OwnStack, idleMinutes: number): Promise<Row[]> {
  const workplace = await openWorkplace();
  const browser = await openChromium(chromiumPath() ?? 'chromium');
  const db = connect(own.stack.databaseUrl, { applicationName: 'slipway-campaign', maxConnections: 4 });
  const { pairs } = await createApi({ url: own.stack.apiUrl }).ask('GET /pairs', {});
  const mint = pairs[0]?.mint ?? '';
  const from = await eventLog.end(db);
  const readers: Reader[] = [];
  try {
    for (const [index, library] of LIBRARIES.entries()) {
      // Each has an address of its own: an address may have ten streams.
      const front = await startUnsteadyFront(own.stack.siteUrl, `127.3.0.${index + 1}`);
      const path = `${BASE_PATH}/events/stream`;
      readers.push({ library, front, reading: await startReading(library, front.url, path, workplace, browser) });
    }
    await eventually(async () => (readers.every(({ front }) => front.asked() > 0) ? true : null), 'all streams');
    await sleep(SETTLE_MS);
    return await runTrials({ ...own, db, mint, from, readers }, idleMinutes);
  } finally {
    for (const { reading, front } of readers) {
      await reading.stop();
      await front.close();
    }
    await browser.close();
    await db.destroy();
  }
}

async function runTrials(ground: Ground, idleMinutes: number): Promise<Row[]> {
  const verdicts = ground.readers.map((): Record<string, string> => ({}));
  let idle: number[] = [];
  for (const [name, trial] of Object.entries(trials(idleMinutes))) {
    const before = ground.readers.map(({ front }) => front.asked());
    await trial(ground, () => bookBurn(ground.db, ground.mint, { amountRaw: 1n }));
    const judged = await judge(ground);
    judged.forEach((verdict, index) => (verdicts[index]![name] = verdict));
    idle = ground.readers.map(({ front }, index) => front.asked() - (before[index] ?? 0));
    process.stderr.write(
      `${name}: ${judged.filter((verdict) => verdict === 'whole').length} of ${judged.length} whole\n`,
    );
  }
  return ground.readers.map(({ library }, index) => ({
    library,
    verdicts: verdicts[index] ?? {},
    idleConnections: idle[index] ?? 0,
  }));
}

/** Compares what each reader was handed with the log, once all have caught up or had time to. */
async function judge({ db, from, readers }: Ground): Promise<string[]> {
  const log = (await readAll(db, from)).map(({ place }) => toCursor(place));
  const verdictOf = ({ reading: { ids } }: Reader) =>
    ids.length === log.length && ids.every((id, index) => id === log[index])
      ? 'whole'
      : `${ids.length} of ${log.length}${new Set(ids).size < ids.length ? ', some twice' : ''}`;
  const until = performance.now() + CATCH_UP_MS;
  while (performance.now() < until && readers.some((reader) => verdictOf(reader) !== 'whole')) await sleep(250);
  return readers.map(verdictOf);
}

function tableOf(rows: readonly Row[]): string {
  const names = Object.keys(rows[0]?.verdicts ?? {});
  const lines = rows.map(({ library: { name, where }, verdicts, idleConnections }) =>
    [name, where, ...names.map((trial) => verdicts[trial] ?? ''), String(idleConnections)].join(' | '),
  );
  const head = ['library', 'runs in', ...names, 'connections while idle'];
  return [head.join(' | '), head.map(() => '---').join(' | '), ...lines].map((line) => `| ${line} |`).join('\n');
}

async function main({ idleMinutes, json }: { idleMinutes: string; json?: true }): Promise<void> {
  const rows = await withOwnStack((own) => tryAll(own, Number(idleMinutes)));
  console.log(json === true ? JSON.stringify(rows) : tableOf(rows));
  const isWhole = rows.every(({ verdicts }) => Object.values(verdicts).every((verdict) => verdict === 'whole'));
  if (!isWhole) process.exitCode = 1;
}

const program = campaignCommand({
  name: 'stream-libraries',
  description:
    'Read the stream of events by the libraries of others, over a cut, a 502, an API restart and idle minutes.',
  more: '\nNeeds npm, Python, Go and Chromium. Exit status: 0 nothing was lost, 1 something was, 2 wrong usage.',
})
  .option('--idle-minutes <number>', 'minutes without an event', '10')
  .option('--json', 'print the verdicts as JSON')
  .action(main);

await runCampaign('stream-libraries', program);
