import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import Type from 'typebox';
import { Value } from 'typebox/value';
import { insertIntake } from '../../db/launch/launch-intake.ts';
import * as labelledWallets from '../../db/platform/labelled-wallets.ts';
import { alertRules } from '../../dev/docs/alerts.ts';
import { startHealthServer } from '../../observe/health-server.ts';
import { createRegistry } from '../../observe/registry.ts';
import { useDatabase } from '../support/db/use-database.ts';
import { metricsNamedIn } from '../support/deploy/monitoring.ts';
import { expectFiring, only, type Scrape, scrape } from '../support/deploy/scrape.ts';
import { address, bringTo, intakeOf, launchTerms } from '../support/launch/launch-rows.ts';
import { onPath } from '../support/on-path.ts';
import { ops } from '../support/ops/ops-run.ts';
import { serveBalances } from '../support/ops/status-chain.ts';
import { serveTipAccounts } from '../support/ops/tip-accounts.ts';
import { NOWHERE, unconnectedWorker, type UnconnectedWorker } from '../support/worker/unconnected.ts';

const { db, url } = useDatabase();

let chain: Awaited<ReturnType<typeof serveBalances>>;
let engine: Awaited<ReturnType<typeof serveTipAccounts>>;
let lamports: number;
beforeAll(async () => {
  chain = await serveBalances(() => lamports);
  engine = await serveTipAccounts();
  await labelledWallets.addMissing(db(), [{ address: address(), label: 'treasury' }], 'worker');
});
afterAll(() => {
  engine.close();
  return chain.close();
});

/** A worker's page, its addresses as an operator gives them to `ops`, and what it is doing. */
interface Scene {
  readonly worker: UnconnectedWorker;
  readonly page: string;
  readonly env: Record<string, string>;
  readonly stopServing: () => Promise<void>;
}

interface Fault {
  readonly name: string;
  readonly alert: string;
  /** What `ops status` says is so, and of what. */
  readonly line: string;
  /** Addresses of which nothing answers. */
  readonly away?: { readonly rpcUrl?: string; readonly blockEngineUrl?: string };
  /** What goes wrong, or what is tried in vain; once before each of two scrapes. */
  readonly happen: (scene: Scene) => Promise<unknown>;
}

const FAULTS: readonly Fault[] = [
  {
    name: 'an RPC endpoint that is away',
    alert: 'SlipwayRpcFailing',
    line: 'unreachable rpc',
    away: { rpcUrl: NOWHERE },
    happen: ({ worker }) => worker.shared.rpc.connection.getSlot().catch(() => undefined),
  },
  {
    name: 'a block engine that is away',
    alert: 'SlipwayBlockEngineFailing',
    line: 'unreachable block engine',
    away: { blockEngineUrl: NOWHERE },
    happen: ({ worker }) => worker.shared.relay.sendBundle([new Uint8Array(100)]).catch(() => undefined),
  },
  {
    name: 'a wallet that is low on SOL',
    alert: 'SlipwayWalletLow',
    line: 'low sol',
    happen: () => Promise.resolve((lamports = 300_000_000)),
  },
  {
    name: 'a worker that is away',
    alert: 'SlipwayDown',
    line: 'unreachable worker',
    happen: ({ stopServing }) => stopServing(),
  },
  {
    // Comes last: it stays parked.
    name: 'a launch that waits for a decision',
    alert: 'SlipwayLaunchWaits',
    line: 'waiting launch',
    happen: parkLaunch,
  },
];

async function parkLaunch(): Promise<void> {
  const terms = launchTerms();
  await insertIntake(db(), intakeOf(terms));
  await bringTo(db(), terms.quoteId, 'needs_recovery', { blockedReason: 'nobody knows', slot: 77n });
}

/** A worker's page with everything in its place, except what is away. */
async function openScene({ rpcUrl = chain.url, blockEngineUrl = engine.url }: Fault['away'] = {}): Promise<Scene> {
  lamports = 5_000_000_000;
  const worker = await unconnectedWorker(db(), { rpcUrl, blockEngineUrl });
  const registry = createRegistry(worker.meters);
  const server = await startHealthServer({
    host: '127.0.0.1',
    port: 0,
    instanceId: null,
    readiness: () => Promise.resolve({ ready: true, checks: {} }),
    metrics: () => registry.metrics(),
    logger: pino({ level: 'silent' }),
  });
  let closing: Promise<void> | undefined;
  const stopServing = () => (closing ??= server.close());
  onTestFinished(async () => {
    await stopServing();
    await worker.close();
  });
  const page = `http://127.0.0.1:${server.port}`;
  const env = { DATABASE_URL: url(), SOLANA_RPC_URL: rpcUrl, BLOCK_ENGINE_URL: blockEngineUrl, WORKER_URLS: page };
  return { worker, page, env, stopServing };
}

const StatusSchema = Type.Object({ lines: Type.Array(Type.Object({ subject: Type.String(), is: Type.String() })) });

/** What this worker, which does no work, keeps up, stores, compares and polls none of. */
const IDLE: ReadonlySet<string> = new Set(['addresses', 'storage', 'books', 'market']);

/** What is wrong in the eyes of `ops status`, each kind once. */
async function wrongIn({ env }: Scene): Promise<Set<string>> {
  const { printed } = await ops(env, 'status --json');
  const { lines } = Value.Parse(StatusSchema, Value.Clean(StatusSchema, JSON.parse(printed)));
  return new Set(lines.filter(({ subject }) => !IDLE.has(subject)).map(({ is, subject }) => `${is} ${subject}`));
}

/** What the alert is made of, that somebody is watched at all, and that the worker, which has no Temporal here, is past its start. */
function seriesOf(alert: string, scraped: Scrape): Scrape {
  const { expr } = alertRules().find((rule) => rule.alert === alert)!;
  const stated = [
    ['up{job="slipway-api"}', 1],
    ['slipway_temporal_metrics_up', 1],
  ] as const;
  return new Map([...only([...metricsNamedIn(expr), 'up'], scraped), ...stated]);
}

const promtool = onPath('promtool');

describe.each(FAULTS)('$name', ({ alert, line, away, happen }) => {
  it(`raises ${alert} (by promtool where it is on PATH) and is named by ops status`, async () => {
    const healthy = await openScene();
    const before = seriesOf(alert, await scrape('slipway-worker', healthy.page));
    expect(await wrongIn(healthy)).toEqual(new Set());
    const scene = await openScene(away);
    await happen(scene);
    const first = seriesOf(alert, await scrape('slipway-worker', scene.page));
    await happen(scene);
    const second = seriesOf(alert, await scrape('slipway-worker', scene.page));
    expect(second).not.toEqual(before);
    expect(await wrongIn(scene)).toEqual(new Set([line]));
    if (promtool === undefined) return;
    await expectFiring(promtool, [before, before], []);
    await expectFiring(promtool, [first, second], [alert]);
  });
});
