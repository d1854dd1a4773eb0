import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { freePort } from '../../dev/stack/ports.ts';
import { testConfig } from '../support/api/api-config.ts';
import { HAPROXY, proxySettings } from '../support/deploy/proxy.ts';
import { useMarketApp } from '../support/market/market-app.ts';

/** Seconds of each measurement, and its honest requests a second. */
const SECONDS = Number(process.env['HELD_SECONDS'] ?? 15);
const PER_SECOND = 100;

/** A flood from this machine takes its processors too, so it is judged only when asked for, on a machine without other work. */
const FLOODS =
  process.env['HELD_SECONDS'] === undefined ? [] : [['a flood of pages from 50 addresses', 'flood', 100] as const];

const STRANGERS = join(import.meta.dirname, '../support/deploy/hold-connections.ts');
const INDEX = '<meta name="application-name" content="Ship" /><!--head--><!--/head-->';
const directory = mkdtempSync(join(tmpdir(), 'held-'));
writeFileSync(join(directory, 'index.html'), INDEX);
const market = useMarketApp(() => ({ config: testConfig({ WEB_DIR: directory, TRUST_PROXY: '127.0.0.1' }) }));

/** Figures are for people: on a machine with other work they say little. */
const report = (line: string) => process.stderr.write(`${line}\n`);

/** What honest clients saw: the status of each answer (0 for none), and times in ms. */
interface Seen {
  readonly statuses: readonly number[];
  readonly p50: number;
  readonly p99: number;
}

describe.skipIf(HAPROXY === undefined)('beside strangers who hold what they can', () => {
  let [proxy, port]: [ChildProcess | undefined, number] = [undefined, 0];
  let quiet: Seen;
  /** Each client is an address and keeps its connection, as browsers do. */
  let agents: Agent[] = [];

  beforeAll(async () => {
    const url = await market.app().listen({ host: '127.0.0.1', port: 0 });
    port = await freePort();
    const file = join(directory, 'haproxy.cfg');
    writeFileSync(file, proxySettings(port, [url]));
    const env = { PATH: process.env['PATH'] ?? '' };
    proxy = spawn(HAPROXY!, ['-db', '-f', file], { env, stdio: 'ignore' });
    await vi.waitUntil(async () => (await ask(0)).status === 200, { timeout: 60_000 });
    quiet = await honest();
    report(`quiet: p50 ${quiet.p50} ms, p99 ${quiet.p99} ms`);
  });
  afterAll(() => {
    proxy?.kill();
    for (const agent of agents) agent.destroy();
    rmSync(directory, { recursive: true });
  });

  function ask(client: number): Promise<{ status: number; ms: number }> {
    const began = performance.now();
    return new Promise((resolve) => {
      const done = (status: number) => {
        resolve({ status, ms: performance.now() - began });
      };
      const path = `/api/public/v1/tokens?page=${client % 5}`;
      const options = {
        host: '127.0.0.1',
        port,
        path,
        localAddress: `127.2.0.${1 + client}`,
        ...(agents[client] && { agent: agents[client] }),
      };
      const asked = request(options, (answer) => {
        answer.resume().on('end', () => {
          done(answer.statusCode ?? 0);
        });
      });
      asked.on('error', () => {
        done(0);
      });
      asked.end();
    });
  }

  async function honest(): Promise<Seen> {
    // New ones: the proxy closes what is idle, and a request on such a connection would have to be repeated.
    for (const agent of agents) agent.destroy();
    agents = Array.from({ length: PER_SECOND }, () => new Agent({ keepAlive: true, maxSockets: 2 }));
    const asked: Promise<{ status: number; ms: number }>[] = [];
    const began = performance.now();
    for (let index = 0; index < SECONDS * PER_SECOND; index += 1) {
      asked.push(ask(index % PER_SECOND));
      await sleep(Math.max(0, began + (index + 1) * (1_000 / PER_SECOND) - performance.now()));
    }
    const answers = await Promise.all(asked);
    const times = answers.map(({ ms }) => ms).sort((a, b) => a - b);
    const at = (share: number) => Math.round(times[Math.floor(times.length * share)] ?? 0);
    return { statuses: answers.map(({ status }) => status), p50: at(0.5), p99: at(0.99) };
  }

  test.each([
    ['5,000 slow connections of 50 addresses', 'slow', 5_000],
    ['20,000 half-open connections of 50 addresses', 'half-open', 20_000],
    ...FLOODS,
  ] as const)('no honest request is refused beside %s', async (what, kind, count) => {
    // Strangers have machines of their own: theirs takes what this one's processors have left.
    const args = ['-n', '19', process.execPath, STRANGERS, kind, `${port}`, `${count}`, '50'];
    const strangers = spawn('nice', args, { stdio: ['ignore', 'pipe', 'inherit'] });
    onTestFinished(() => void strangers.kill('SIGKILL'));
    let open = 0;
    strangers.stdout.on('data', (text: Buffer) => (open = Number(text.toString().trim().split('\n').at(-1))));
    await once(strangers.stdout, 'data');
    const seen = await honest();
    report(`${what} (${open} open): p50 ${seen.p50} ms, p99 ${seen.p99} ms; quiet ${quiet.p50} and ${quiet.p99} ms`);
    expect(seen.statuses.filter((status) => status !== 200)).toEqual([]);
  });
});
