import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer } from 'node:http';
import { Client, Connection } from '@temporalio/client';
import { NativeConnection } from '@temporalio/worker';
import pg from 'pg';
import Type from 'typebox';
import { Value } from 'typebox/value';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import * as airdrops from '../../db/airdrop/airdrops.ts';
import * as recipientSets from '../../db/airdrop/recipient-sets.ts';
import * as claimNonces from '../../db/claim/claim-nonces.ts';
import * as claims from '../../db/claim/claims.ts';
import { connect, type Db } from '../../db/connect.ts';
import * as pairInventory from '../../db/inventory/pair-inventory.ts';
import * as launchAddresses from '../../db/launch/launch-addresses.ts';
import { insertIntake } from '../../db/launch/launch-intake.ts';
import { transitionLaunch } from '../../db/launch/launch-transition.ts';
import * as findings from '../../db/money/findings.ts';
import * as labelledWallets from '../../db/platform/labelled-wallets.ts';
import { oldestWriter } from '../../db/platform/oldest-writer.ts';
import { planAirdrop } from '../../domain/airdrop/airdrop.ts';
import { openTransactionLines } from '../../ops/commands/platform/status/open-transactions.ts';
import { pollerLines } from '../../ops/commands/platform/status/process-lines.ts';
import { roundLines } from '../../ops/commands/platform/status/round-lines.ts';
import { standbyLines } from '../../ops/commands/platform/status/standby-lines.ts';
import { upsertSchedules } from '../../worker/schedules.ts';
import { ACTIVITY_QUEUES, TASK_QUEUES } from '../../workflows/task-queues.ts';
import { createTestDatabase } from '../setup/database.ts';
import { createTestTemporal } from '../setup/temporal.ts';
import { listPair } from '../support/api/test-pairs.ts';
import { issueClaim } from '../support/claim/issued-claim.ts';
import { address, bringTo, intakeOf, launchTerms, signature } from '../support/launch/launch-rows.ts';
import { launchedToken } from '../support/launch/launched-token.ts';
import { ops } from '../support/ops/ops-run.ts';
import { startSilentServer } from '../support/ops/silent-server.ts';
import { serveBalances } from '../support/ops/status-chain.ts';
import { serveTipAccounts } from '../support/ops/tip-accounts.ts';
import { eventually } from '../support/platform/eventually.ts';
import { DEFAULT_SCHEDULES } from '../support/worker/default-schedules.ts';
import { registerNamespace } from '../support/worker/namespaces.ts';

const WALLET = address();
const RICH = 5_000_000_000;

let db: Db;
let env: Record<string, string>;
let lamports = RICH;
let chain: Awaited<ReturnType<typeof serveBalances>>;
let engine: Awaited<ReturnType<typeof serveTipAccounts>>;
let prometheus: Awaited<ReturnType<typeof serveAlerts>>;
let temporal: Connection;
let client: Client;
let polled: Promise<unknown>[];
const polling = new AbortController();

/** Nothing works here: with a cadence of seconds a round would be late before the tests are over. */
const SCHEDULES = DEFAULT_SCHEDULES.map((schedule) => ({ ...schedule, everySeconds: 3_600, offsetSeconds: 0 }));

beforeAll(async () => {
  const { url } = await createTestDatabase();
  db = connect(url);
  chain = await serveBalances(() => lamports);
  engine = await serveTipAccounts();
  prometheus = await serveAlerts();
  const server = await createTestTemporal();
  const namespace = server.unique('status');
  await prepareNamespace(server.address, namespace);
  temporal = await Connection.connect({ address: server.address });
  client = new Client({ connection: temporal, namespace });
  await upsertSchedules(client, SCHEDULES);
  env = {
    DATABASE_URL: url,
    TEMPORAL_ADDRESS: server.address,
    TEMPORAL_NAMESPACE: namespace,
    SOLANA_RPC_URL: chain.url,
    BLOCK_ENGINE_URL: engine.url,
    TREASURY_ADDRESS: WALLET,
    API_URLS: chain.url,
    WORKER_URLS: chain.url,
    API_METRICS_URLS: chain.url,
    PROMETHEUS_URL: prometheus.url,
    STORE_DIR: mkdtempSync(join(tmpdir(), 'slipway-status-')),
    SITE_URL: chain.url,
    BACKUP_STAMP_FILE: import.meta.filename,
  };
  polled = [...TASK_QUEUES, ...ACTIVITY_QUEUES].map((name) => pollOnce(namespace, name));
  await eventually(async () => ((await pollerLines(client, new Date())).length === 0 ? true : null), 'pollers');
  await labelledWallets.addMissing(db, [{ address: WALLET, label: 'treasury' }], 'worker');
  const free = Array.from({ length: 50 }, () => launchTerms());
  await launchAddresses.addFree(
    db,
    free.map(({ quoteId, seedId, genesisHash, addresses }) => ({ quoteId, seedId, genesisHash, addresses })),
  );
});
afterAll(async () => {
  polling.abort();
  await Promise.all(polled);
  await temporal.close();
  chain.close();
  engine.close();
  prometheus.close();
  rmSync(env['STORE_DIR'] ?? '', { recursive: true });
  await db.destroy();
});
beforeEach(() => {
  lamports = RICH;
});

it('commits that wait for a synchronous standby are told once it is away, and not while it answers', () => {
  expect(standbyLines({ count: 3, longestMs: 40 })).toEqual([]);
  const [line] = standbyLines({ count: 3, longestMs: 72_000 });
  expect(line).toMatchObject({ subject: 'database', is: 'waiting' });
  expect(line?.what).toContain('3 commits wait for the synchronous standby, the longest for 1 min');
  expect(line?.remedy).toContain('pg_stat_replication');
});

async function prepareNamespace(at: string, namespace: string): Promise<void> {
  const connection = await NativeConnection.connect({ address: at });
  await registerNamespace(connection, namespace);
  await connection.close();
}

/** What a worker of a named release does at the server: it asks for work, and gets none within the test. */
function pollOnce(namespace: string, name: string): Promise<unknown> {
  const deploymentOptions = { deploymentName: 'slipway', buildId: 'n', workerVersioningMode: 2 } as const;
  const request = { namespace, taskQueue: { name }, identity: 'test', deploymentOptions };
  const { workflowService } = temporal;
  const poll = () =>
    ACTIVITY_QUEUES.some((queue) => queue === name)
      ? workflowService.pollActivityTaskQueue(request)
      : workflowService.pollWorkflowTaskQueue(request);
  const within = () => temporal.withDeadline<unknown>(Date.now() + 600_000, poll);
  return temporal.withAbortSignal(polling.signal, within).catch(() => undefined);
}

interface Shown {
  ok: boolean;
  lines: { alert: string; subject: string; is: string; what: string; remedy: string }[];
  notAsked: string[];
}

async function status(changed: Record<string, string> = {}) {
  const run = await ops({ ...env, ...changed }, 'status --json');
  return { ...run, shown: JSON.parse(run.printed) as Shown };
}

/** The one line about a subject. */
async function lineAbout(subject: string, changed: Record<string, string> = {}) {
  const run = await status(changed);
  expect(run.status).toBe(1);
  const lines = run.shown.lines.filter((line) => line.subject === subject);
  expect(lines).toHaveLength(1);
  return { ...lines[0]!, run };
}

it('a transaction that has written and stays open is told, and the printed command ends it', async () => {
  const session = new pg.Client({ connectionString: env['DATABASE_URL'], application_name: 'a forgotten psql' });
  const ended = Promise.withResolvers<unknown>();
  session.on('error', ended.resolve); // It comes twice.
  await session.connect();
  await session.query('begin');
  await session.query('select txid_current()');
  const oldest = await eventually(async () => {
    const found = await oldestWriter(db);
    return found?.application === 'a forgotten psql' ? found : null;
  }, 'the oldest writer');
  expect([oldest.openSeconds > 0, openTransactionLines(oldest)]).toEqual([true, []]);
  const [line] = openTransactionLines({ ...oldest, openSeconds: 75 });
  expect(line?.what).toContain(`a forgotten psql (process ${oldest.pid}) is open for`);
  const [, statement = ''] = /^psql "\$DATABASE_URL" -c "(.*)"$/.exec(line?.remedy ?? '') ?? [];
  await sql.raw(statement).execute(db);
  await ended.promise;
  const isGone = async () => (await oldestWriter(db))?.application !== 'a forgotten psql' || null;
  expect(await eventually(isGone, 'the end of the transaction')).toBe(true);
});

describe('ops status', () => {
  it('ends with 0 when all is well', async () => {
    const notAsked = ['the archive of WAL (archive_mode of PostgreSQL)'];
    expect(await status()).toMatchObject({ status: 0, shown: { ok: true, lines: [], notAsked } });
    expect((await ops(env, 'status')).printed).toBe(`all that was checked is well\nnot checked: ${notAsked[0]}\n`);
  });

  it('explains itself', async () => {
    const { status: code, printed } = await ops({}, 'status --help');
    expect([code, printed]).toEqual([0, expect.stringContaining('Usage: ops status')]);
  });

  it('says what it was not told to ask', async () => {
    const named = ['SOLANA_RPC_URL', 'TEMPORAL_ADDRESS', 'BLOCK_ENGINE_URL', 'SITE_URL', 'STORE_DIR'];
    const ofProcesses = ['API_URLS', 'WORKER_URLS', 'PROMETHEUS_URL', 'API_METRICS_URLS'];
    const unset = [...named, 'BACKUP_STAMP_FILE', ...ofProcesses];
    const { shown } = await status(Object.fromEntries(unset.map((name) => [name, ''])));
    expect(shown.notAsked.join()).toMatch(new RegExp(unset.join('.*')));
  });
});

describe('what is unreachable', () => {
  it('an RPC endpoint, without its key', async () => {
    const url = `${chain.url},http://127.0.0.1:1/?api-key=secret`;
    const { is, what, remedy, run } = await lineAbout('rpc', { SOLANA_RPC_URL: url });
    expect(is).toBe('unreachable');
    expect(remedy).toMatch(/^put another endpoint in the place of rpc\[1\] 127\.0\.0\.1:1 in SOLANA_RPC_URL/);
    expect(what).toContain('rpc[1] 127.0.0.1:1 did not answer getHealth');
    expect(run.printed).not.toContain('secret');
  });

  it('the block engine', async () => {
    const { is, remedy } = await lineAbout('block engine', { BLOCK_ENGINE_URL: 'http://127.0.0.1:1' });
    expect([is, remedy]).toEqual(['unreachable', expect.stringContaining('switches set launching off')]);
  });

  it('Temporal', async () => {
    const { is, remedy } = await lineAbout('temporal', { TEMPORAL_ADDRESS: '127.0.0.1:1' });
    expect(is).toBe('unreachable');
    expect(remedy).toMatch(/^restart temporal: .*; then temporal operator cluster health --address 127\.0\.0\.1:1$/);
  });

  it.each([
    ['api', 'API_URLS'],
    ['worker', 'WORKER_URLS'],
  ])('one %s of several', async (subject, variable) => {
    const { is, what, remedy } = await lineAbout(subject, { [variable]: `${chain.url}, http://127.0.0.1:1/` });
    expect(is).toBe('unreachable');
    expect(remedy).toMatch(
      new RegExp(`^restart ${subject}: .*; it does not start: npm run ops -- doctor --of ${subject}$`),
    );
    expect(what).toMatch(/^http:\/\/127\.0\.0\.1:1\/ does not answer: /);
  });

  it.each([
    ['', ''],
    ['{"error":{"message":"not ready: postgres"}}', ': not ready: postgres'],
    ['{"ready":false,"checks":{"temporal":"ok","start":"waits for postgres"}}', ': start: waits for postgres'],
  ])('a process that lives and lacks something, with what it says: %s', async (body, said) => {
    const lacking = createServer((_, response) => void response.writeHead(503).end(body));
    await once(lacking.listen(0, '127.0.0.1'), 'listening');
    const { port } = Value.Parse(Type.Object({ port: Type.Integer() }), lacking.address());
    const { what, remedy } = await lineAbout('api', { API_URLS: `http://127.0.0.1:${port}` });
    expect(what).toBe(`http://127.0.0.1:${port} lives and is not ready (503)${said}`);
    expect(remedy).toBe('npm run ops -- doctor --of api');
    lacking.close();
  });

  it('every worker, as Temporal tells it', async () => {
    const inAnHour = new Date(Date.now() + 3_600_000);
    const [line, ...others] = await pollerLines(client, inAnHour);
    expect(others).toEqual([]);
    expect([line?.subject, line?.is]).toEqual(['worker', 'unreachable']);
    expect(line?.what).toContain('no worker asks Temporal for work on launches and rounds and watch');
  });

  it.each([
    ['block engine', 'BLOCK_ENGINE_URL', 'http://'],
    ['temporal', 'TEMPORAL_ADDRESS', ''],
    ['rpc', 'SOLANA_RPC_URL', 'http://'],
    ['database', 'DATABASE_URL', 'postgres://u:secret@'],
    ['worker', 'WORKER_URLS', 'http://'],
  ])('%s that takes connections and answers nothing', async (subject, variable, scheme) => {
    const silent = await startSilentServer();
    const { is, run } = await lineAbout(subject, { [variable]: `${scheme}${silent.address}` });
    silent.close();
    expect(is).toBe('unreachable');
    expect(run.printed).not.toContain('secret');
  });

  it('the database, before all else and without its URL', async () => {
    const away = { DATABASE_URL: 'postgres://u:secret@127.0.0.1:1/x', BLOCK_ENGINE_URL: 'http://127.0.0.1:1' };
    const { run, remedy } = await lineAbout('database', away);
    expect(remedy).toMatch(/^restart postgres: .*"Failover"$/);
    expect(run.shown.lines.map(({ subject }) => subject)).toEqual(['database', 'block engine']);
    expect(run.printed).not.toContain('secret');
  });
});

describe('what figures and Prometheus tell', () => {
  it('each alarm whose condition holds on a page, with the command of its label', async () => {
    const page = 'slipway_webhook_behind_seconds{endpoint="wh_7"} 4000\nslipway_switch_off{name="claiming"} 1\n';
    const worker = await serveText(page);
    const { lines } = (await status({ WORKER_URLS: worker.url })).shown;
    worker.close();
    expect(lines.map(({ alert, what, remedy }) => [alert, what, remedy])).toEqual([
      ['SlipwayPausedForLong', 'claiming is switched off', 'npm run ops -- switches set claiming on'],
      ['SlipwayWebhookBehind', 'webhook endpoint wh_7 is 1 h behind, or paused', 'npm run ops -- webhooks test wh_7'],
    ]);
  });

  it('an alert that fires at Prometheus, and a Prometheus that evaluates none', async () => {
    const other = await serveAlerts(['SlipwayAlarmsWork', 'SlipwayStarved']);
    expect((await lineAbout('worker', { PROMETHEUS_URL: other.url })).alert).toBe('SlipwayStarved');
    other.close();
    const empty = await serveAlerts([]);
    const { is, what } = await lineAbout('monitoring', { PROMETHEUS_URL: empty.url });
    empty.close();
    expect([is, what]).toEqual(['unreachable', expect.stringContaining('does not evaluate')]);
    expect((await lineAbout('monitoring', { PROMETHEUS_URL: 'http://127.0.0.1:1' })).is).toBe('unreachable');
  });

  it('an alert about a dependency under the part that it names, without gaps of empty labels', async () => {
    const labels = { alertname: 'SlipwayDependencyDown', dependency: 'rpc' };
    const annotations = { summary: 'slipway-api gets no answer from rpc , or from too few', command: 'x' };
    const working = { state: 'firing', labels: { alertname: 'SlipwayAlarmsWork' }, annotations: {} };
    const page = { data: { alerts: [working, { state: 'firing', labels, annotations }] } };
    const prometheus = await serveText(JSON.stringify(page));
    const { what } = await lineAbout('rpc', { PROMETHEUS_URL: prometheus.url });
    prometheus.close();
    expect(what).toBe('slipway-api gets no answer from rpc, or from too few');
  });

  it('in production, a backup that was never configured', async () => {
    const { lines } = (await status({ ENVIRONMENT: 'production', BACKUP_STAMP_FILE: '' })).shown;
    expect(lines.map(({ alert, what }) => [alert, what])).toEqual([
      ['SlipwayBackupLate', 'PostgreSQL archives no WAL: archive_mode is off'],
      ['SlipwayBackupLate', 'nothing says when the last base backup was made'],
    ]);
  });
});

it('launches that do not go live are told with the reason of most of them, and what ends it', async () => {
  const reasons = ['the bundle did not land before its blockhash expired', 'the quote came too late: until 12:00'];
  for (const reason of [...reasons, ...reasons.slice(0, 1)]) {
    const terms = launchTerms();
    await insertIntake(db, intakeOf(terms));
    await transitionLaunch(db, terms.quoteId, ['received'], 'not_landed', { reason });
  }
  const { alert, what, remedy } = await lineAbout('launch', {});
  expect(alert).toBe('SlipwayLaunchesNotKept');
  expect(what).toMatch(/; 2 times: the bundle did not land before its blockhash expired$/);
  expect(remedy).toMatch(/^raise TIP_PERCENTILE or TIP_MAX_LAMPORTS, .*npm run ops -- switches set launching off/);
  await sql`update launches set submitted_at = submitted_at - interval '1 hour'`.execute(db);
});

describe('ops alert', () => {
  it('leads from a name to condition, meaning, what is so now and the command', async () => {
    lamports = 300_000_000;
    const { status: code, printed } = await ops(env, 'alert SlipwayWalletLow');
    expect(code).toBe(0);
    expect(printed).toContain('min by (wallet) (slipway_wallet_lamports) < 500000000, for 1m');
    expect(printed).toContain('docs/runbook-money.md#rounds-of-money');
    expect(printed).toContain(`now: ${WALLET}, a wallet of the platform, holds 0.3 SOL`);
    expect(printed).toContain(`  solana transfer ${WALLET} 0.2 --allow-unfunded-recipient`);
  });

  it('says what it did not look at, takes a short name, lists all without one, and refuses others', async () => {
    const { printed } = await ops({ ...env, WORKER_URLS: '' }, 'alert marketgap');
    expect(printed).toContain('now: nothing of it is seen');
    expect(printed).toContain('not checked: figures of workers (WORKER_URLS)');
    expect((await ops(env, 'alert')).printed).toContain('SlipwayLaunchesNotKept');
    expect((await ops(env, 'alert SlipwayNothing')).status).toBe(2);
  });
});

describe('what is low', () => {
  it('the SOL of a wallet that a worker called its own', async () => {
    lamports = 300_000_000;
    const { is, what, remedy } = await lineAbout('sol');
    expect([is, what]).toEqual(['low', expect.stringContaining(`${WALLET}, a wallet of the platform, holds 0.3 SOL`)]);
    expect(remedy).toBe(`solana transfer ${WALLET} 0.2 --allow-unfunded-recipient`);
    expect((await ops(env, 'status --least-sol 0.3')).status).toBe(0);
    expect((await ops(env, 'status --least-sol much')).status).toBe(2);
  });

  it('inventory under its mark', async () => {
    const { mint } = await listPair(db, { symbol: 'LOWX' });
    const marks = { reserveRaw: 0n, restockBelowRaw: 7_000_000n, restockToRaw: 9_000_000n, hourRaw: null };
    await pairInventory.set(db, mint, marks, { actor: 'test' });
    const { is, what, remedy } = await lineAbout('inventory');
    expect([is, what]).toEqual(['low', '0 LOWX are left for dev buys, less than 7']);
    expect(remedy).toBe('npm run ops -- inventory show');
    const none = { reserveRaw: 0n, restockBelowRaw: null, restockToRaw: null, hourRaw: null };
    await pairInventory.set(db, mint, none, { actor: 'test' });
  });
});

describe('rounds', () => {
  const inAYear = () => ({ now: new Date(Date.now() + 365 * 86_400_000), address: 'temporal:7233' });

  it('are late when they began more than three cadences ago', async () => {
    const lines = await roundLines(client, inAYear());
    expect(lines).toHaveLength(DEFAULT_SCHEDULES.length);
    expect(lines[0]?.what).toMatch(/^launch-janitor began last (364|365) d .* ago, due every 1 h 0 min$/);
    expect(lines[0]?.remedy).toMatch(/^temporal schedule trigger --schedule-id launch-janitor --namespace status/);
  });

  it('that are paused say so at once', async () => {
    await client.schedule.getHandle('reconcile').pause('a restore');
    const lines = await roundLines(client, { ...inAYear(), now: new Date() });
    const paused = lines.find(({ is }) => is === 'paused');
    await client.schedule.getHandle('reconcile').unpause();
    expect(paused?.what).toContain('it is paused: a restore');
    expect(paused?.remedy).toContain('temporal schedule toggle --unpause --schedule-id reconcile');
  });

  it('without a schedule need a worker', async () => {
    const { shown } = await status({ TEMPORAL_NAMESPACE: 'default' });
    const missing = shown.lines.filter(({ what }) => what.includes('has no schedule'));
    for (const { remedy } of missing) expect(remedy).toBe('npm run ops -- doctor --of worker');
    expect(missing.length).toBeGreaterThan(0);
  });
});

describe('what the database knows', () => {
  it('shows each with its command, what to do first comes first', async () => {
    const parked = await parkedLaunch();
    const airdrop = await failingAirdrop();
    const claim = await killedClaim();
    await findings.replace(db, [{ kind: 'lane-ahead', subject: 'lane/17', books: '1', chain: '2' }]);
    await db.deleteFrom('launchAddresses').where('takenAt', 'is', null).execute();
    const { shown, status: code, message } = await status();
    expect(shown.lines.map(({ subject, is, remedy }) => [subject, is, remedy])).toEqual([
      ['launch', 'waiting', `npm run ops -- launches show ${parked}`],
      ['addresses', 'low', 'npm run ops -- doctor --of worker'],
      ['claim', 'waiting', `npm run ops -- claims show ${claim}`],
      ['books', 'late', 'npm run ops -- books show'],
      ['airdrop', 'late', `npm run ops -- airdrops show ${airdrop}`],
    ]);
    expect([code, message]).toEqual([1, '5 things need a person']);
    const { printed } = await ops(env, 'status');
    for (const { remedy } of shown.lines) expect(printed).toContain(`${remedy}\n`);
  });
});

it('shows what is under way for minutes since its submission, however often it was tried', async () => {
  const terms = launchTerms();
  await insertIntake(db, intakeOf(terms));
  await bringTo(db, terms.quoteId, 'landing');
  const intentId = '3f0c1c1e-7d1e-4a53-9a0c-7f6e3a1f0b12';
  await relayedClaim(intentId);
  const late = async () =>
    (await status()).shown.lines.filter(({ is, subject }) => is === 'late' && subject !== 'books');
  const before = await late();
  await sql`update launches set submitted_at = now() - interval '6 minutes' where quote_id = ${terms.quoteId}`.execute(
    db,
  );
  await sql`update claim_intents set submitted_at = now() - interval '3 minutes' where intent_id = ${intentId}`.execute(
    db,
  );
  const shown = (await late()).filter(({ what }) => !before.some((line) => line.what === what));
  expect(shown.map(({ what }) => what)).toEqual([
    `${terms.quoteId} is landing, 6 min after its submission`,
    `${intentId} is relaying, 3 min after its submission`,
  ]);
});

async function parkedLaunch(): Promise<string> {
  const terms = launchTerms();
  await insertIntake(db, intakeOf(terms));
  await bringTo(db, terms.quoteId, 'needs_recovery', { blockedReason: 'nobody knows', slot: 77n });
  return terms.quoteId;
}

async function failingAirdrop(): Promise<string> {
  const document = Buffer.from('recipients');
  const recipientsHash = createHash('sha256').update(document).digest('hex');
  await recipientSets.keep(db, recipientsHash, document);
  const { mint } = await launchedToken(db);
  const { quoteId } = await db
    .selectFrom('launches')
    .select('quoteId')
    .where('mint', '=', mint)
    .executeTakeFirstOrThrow();
  await db.updateTable('launches').set({ state: 'finalized' }).where('quoteId', '=', quoteId).execute();
  await airdrops.plan(db, {
    quoteId,
    mint,
    shareRaw: 10n,
    recipientsHash,
    recipientsUri: 'https://x',
    shares: planAirdrop(10n, [address()]),
  });
  await airdrops.noteProblem(db, quoteId, 'would fail: insufficient lamports');
  return quoteId;
}

async function killedClaim(): Promise<string> {
  const intentId = '3f0c1c1e-7d1e-4a53-9a0c-7f6e3a1f0b11';
  await relayedClaim(intentId);
  await claims.transition(db, intentId, ['relaying'], 'killing');
  return intentId;
}

async function relayedClaim(intentId: string): Promise<void> {
  const { mint } = await launchedToken(db);
  const nonceAccount = address();
  await claimNonces.put(db, { mint, nonceAccount, authority: address() });
  await issueClaim(db, intentId, { mint, nonceAccount });
  await claims.submit(db, intentId, signature());
  await claims.transition(db, intentId, ['submitted'], 'relaying');
}

async function serveText(body: string) {
  const server = createServer((_, response) => void response.end(body));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = Value.Parse(
    Type.Object({ port: Type.Integer() }),
    Value.Clean(Type.Object({ port: Type.Integer() }), server.address()),
  );
  return { url: `http://127.0.0.1:${port}`, close: () => server.close() };
}

/** A Prometheus at which these alerts fire. */
function serveAlerts(names: readonly string[] = ['SlipwayAlarmsWork']) {
  const alerts = names.map((alertname) => ({ state: 'firing', labels: { alertname }, annotations: { summary: 's' } }));
  return serveText(JSON.stringify({ status: 'success', data: { alerts } }));
}
