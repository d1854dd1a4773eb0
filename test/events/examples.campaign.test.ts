import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, expect, it, onTestFinished } from 'vitest';
import { STREAM_SETTINGS } from '../../api/events/stream-settings.ts';
import * as eventLog from '../../db/events/event-log.ts';
import { fromCursor, toCursor } from '../../domain/events/event-cursor.ts';
import { webhookHeaders } from '../../domain/events/webhook-signature.ts';
import { factFixture, trade } from '../support/events/every-fact.ts';
import { readAll, untilVisible } from '../support/events/read-events.ts';
import { startUnsteadyFront } from '../support/events/unsteady-front.ts';
import { useMarketApp } from '../support/market/market-app.ts';
import { eventually } from '../support/platform/eventually.ts';

const EXAMPLES = join(import.meta.dirname, '../../docs/examples/events');
/** Streams that end themselves all the time. */
const pace = { ...STREAM_SETTINGS.pace, beatMs: 100, lifeMs: 700 };
const market = useMarketApp(() => ({ streams: { ...STREAM_SETTINGS, pace } }));

/** Programs of the languages, and how their files end. */
const LANGUAGES = [
  ['shell', 'sh', 'sh'],
  ['Python', 'python3', 'py'],
  ['TypeScript', process.execPath, 'ts'],
] as const;

let folder: string;
let url: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'slipway-examples-'));
  url = `${await market.app().listen({ host: '127.0.0.1', port: 0 })}/api/public/v1`;
  // Once: the API keeps an answer for a second, so the next program could miss events of that second.
  await tradeSome(15);
});
afterAll(() => rmSync(folder, { recursive: true }));

const running = new Set<ChildProcess>();
afterEach(() => {
  for (const child of running) child.kill();
  running.clear();
});

const idOf = (line: string) => (JSON.parse(line) as { id: string }).id;
const idsOf = async (...after: Parameters<typeof readAll>) =>
  (await readAll(...after)).map(({ place }) => toCursor(place));

async function tradeSome(rounds: number): Promise<void> {
  for (let n = 0; n < rounds; n++) await trade(market.db(), await factFixture(market.db()));
  await untilVisible(market.db());
}

it.each(LANGUAGES)('the pull example in %s prints each event of the log once and in order', async (_, program, end) => {
  const stored = await idsOf(market.db());
  expect(stored.length).toBeGreaterThan(100);
  const args = [join(EXAMPLES, `pull.${end}`), url, 'oldest'];
  const { stdout } = await promisify(execFile)(program, args, { maxBuffer: 1e8 });
  expect(stdout.trim().split('\n').map(idOf)).toEqual(stored);
});

/** Commands that follow the stream. Go's is built: `go run` would leave its child running. */
const STREAMS = [
  ...LANGUAGES.map(
    ([name, program, end]) => [name, () => Promise.resolve([program, join(EXAMPLES, `stream.${end}`)]), end] as const,
  ),
  ['Go', builtGo, 'go'],
] as const;

async function builtGo(): Promise<string[]> {
  const built = join(folder, 'stream-go');
  await promisify(execFile)('go', ['build', '-o', built, join(EXAMPLES, 'stream.go')]);
  return [built];
}

it.each(STREAMS)(
  'the stream example in %s prints each event once and in order, over ended streams, a 502, a restart and a new start',
  async (_, commandOf, end) => {
    const front = await startUnsteadyFront(url);
    onTestFinished(() => front.close());
    const [program = '', ...args] = await commandOf();
    const from = await eventLog.end(market.db());
    const state = join(folder, `cursor-${end}.txt`);
    writeFileSync(state, toCursor(from));
    const ids: string[] = [];
    const start = () => {
      const child = spawn(program, [...args, `${front.url}/api/public/v1`, state], {
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      running.add(child);
      createInterface({ input: child.stdout }).on('line', (line) => ids.push(idOf(line)));
      return child;
    };
    const untilPrinted = async () => {
      const stored = await idsOf(market.db(), from);
      await eventually(async () => (ids.length >= stored.length ? true : null), `${stored.length} printed events`);
      await eventually(async () => ((await idsBehind(state)).length === 0 ? true : null), 'the cursor behind them');
      return stored;
    };
    const first = start();
    await tradeSome(2);
    await untilPrinted();
    // Longer than the life of a stream.
    await tradeSome(1);
    await untilPrinted();
    for (const away of [(ms: number) => front.answer502(ms), (ms: number) => front.restart(ms)]) {
      await Promise.all([away(2_000), tradeSome(1)]);
      await untilPrinted();
    }
    const ended = new Promise((resolve) => first.once('close', resolve));
    first.kill();
    await ended;
    await tradeSome(1);
    start();
    const stored = await untilPrinted();
    expect(ids).toEqual(stored);
  },
);

/** Events behind the kept cursor. */
async function idsBehind(state: string): Promise<string[]> {
  return idsOf(market.db(), fromCursor(readFileSync(state, 'utf8').trim()));
}

const BODY = '{"type":"burn"}\n';

/** Differences from an honest delivery. */
interface Changed {
  readonly signedAt?: number;
  /** Time in its header; default: when it was signed. */
  readonly sentAt?: number;
  readonly body?: string;
}

it.each(LANGUAGES)(
  'the webhook example in %s accepts a delivery, knows it again, and refuses another secret, an old one and a replay',
  (_, program, end) => {
    const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
    const other = `whsec_${Buffer.alloc(32, 8).toString('base64')}`;
    const handled = join(folder, `handled-${end}.txt`);
    const now = Math.floor(Date.now() / 1_000);
    const exitCode = (id: string, by: string, { signedAt = now, sentAt, body = BODY }: Changed = {}) => {
      const message = { id, timestamp: signedAt, body: BODY };
      const headers = webhookHeaders(message, { secret: by, platform: [() => new Uint8Array(64)] });
      const args = [secret, id, String(sentAt ?? signedAt), headers['webhook-signature']!, handled];
      return spawnSync(program, [join(EXAMPLES, `verify_webhook.${end}`), ...args], { input: body }).status;
    };
    const codes = [
      exitCode('WzEsIjciXQ', secret),
      exitCode('WzEsIjciXQ', secret),
      exitCode('WzEsIjgiXQ', other),
      exitCode('WzEsIjgiXQ', secret, { signedAt: now - 600 }),
      exitCode('WzEsIjgiXQ', secret, { signedAt: now - 600, sentAt: now }),
      exitCode('WzEsIjgiXQ', secret, { body: '{"type":"burn"}' }),
      exitCode('WzEsIjgiXQ', secret),
    ];
    expect(codes).toEqual([0, 2, 1, 1, 1, 1, 0]);
  },
);
