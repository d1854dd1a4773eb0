import { Client, Connection } from '@temporalio/client';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import { RpcUnavailableError } from '../chain/rpc/json-rpc.ts';
import { reportedFetch } from '../chain/rpc/reported-fetch.ts';
import { createRpc } from '../chain/rpc/rpc.ts';
import { warmUpDecoders } from '../chain/storage/logo.ts';
import type { ExchangeAdapter } from '../chain/exchange/exchange-adapter.ts';
import type { ApiConfig } from '../config/api.ts';
import { assertFitsChain } from '../config/chain-rules.ts';
import { ConfigError } from '../config/environment.ts';
import { canChangeBooks } from '../db/api-role.ts';
import { assertSchemaKnown } from '../db/catalogue/live-schema.ts';
import { connect, connectThrough, createPool } from '../db/connect.ts';
import { classifyDatabaseError } from '../db/errors.ts';
import { openReadReplica, type ReadReplica } from '../db/read-replica.ts';
import { claimEnvironment } from '../db/platform/environment.ts';
import * as switches from '../db/platform/switches.ts';
import { SchemaMismatchError } from '../db/schema-gap.ts';
import { errorTextWithCauses, errorTrace } from '../domain/error-text.ts';
import { openTraces } from '../observe/traces/open-traces.ts';
import { callListener } from '../observe/traces/rpc-spans.ts';
import { startedWorkflows } from '../observe/traces/started-workflows.ts';
import { buildApp } from './app.ts';
import type { ApiExtension } from './deps.ts';
import { createSwitchReader } from './features.ts';
import { dependenciesOf, postgresProbe, rpcProbe, temporalProbe } from './health/probes.ts';
import { composeLaunching } from './launch/compose.ts';
import { reportLaunchChecks } from './launch/report-launch-checks.ts';
import { apiMetrics, createApiMeters } from './metrics/api-meters.ts';
import { serveMetrics } from './metrics/serve-metrics.ts';
import { createLogger } from './plugins/logging.ts';
import { openRateStore } from './plugins/shared-rate-store.ts';
import { closeOnSignal } from './shutdown.ts';

export interface ApiParts {
  readonly config: ApiConfig;
  readonly exchange: ExchangeAdapter;
  /** Beside those of `endpoints.ts`. */
  readonly extension?: ApiExtension;
}

export async function runApi(read: () => ApiParts): Promise<void> {
  try {
    await start(read());
  } catch (error) {
    const isSentence = [ConfigError, SchemaMismatchError, RpcUnavailableError].some((kind) => error instanceof kind);
    const isAway = isSentence || classifyDatabaseError(error) === 'connection';
    process.stderr.write(`api: ${isAway ? errorTextWithCauses(error) : errorTrace(error)}\n`);
    process.exit(1);
  }
}

/** Refuses a database of another schema, chain or environment. */
async function start({ config, exchange, extension }: ApiParts): Promise<void> {
  const logger = createLogger(config.logLevel);
  const onIdleError = (error: Error) => {
    logger.warn({ err: error }, 'an idle database connection broke');
  };
  const { url, poolSize } = config.database;
  const pool = createPool(url, { applicationName: 'slipway-api', maxConnections: poolSize, onIdleError });
  const db = connectThrough(pool);
  const replica = openReplica(config, pool, logger);
  const metricsDb = connect(url, { applicationName: 'slipway-api-metrics', maxConnections: 1, onIdleError });
  const meters = createApiMeters();
  const traces = await openTraces(config, 'slipway-api', logger);
  const temporal = Connection.lazy(config.temporal.connection);
  const client = new Client({
    connection: temporal,
    namespace: config.temporal.namespace,
    interceptors: { workflow: startedWorkflows(traces) },
  });
  const rpc = createRpc({
    endpoints: config.solana.rpcUrls,
    fetch: reportedFetch(globalThis.fetch, callListener(meters.rpc, traces)),
  });
  const genesisHash = await rpc.genesisHash();
  assertFitsChain(config.chainRules, genesisHash);
  await assertSchemaKnown(db, (difference) => {
    logger.warn({ difference }, 'the schema differs from that of this release');
  });
  await claimEnvironment(db, { environment: config.environment, genesisHash });
  if (extension === undefined && (await canChangeBooks(db)))
    logger.warn('the role of DATABASE_URL can change what is paid; give the API one of its own (docs/deploy.md)');
  const onFeeRead = meters.fees.read;
  const launching = composeLaunching(config, { db, rpc, client, genesisHash, logger, exchange, onFeeRead });
  await reportLaunchChecks(launching, { db, logger, treasuryAddress: config.treasuryAddress });
  const rateStore = openRateStore(config, logger);
  const probes = [
    postgresProbe(db),
    temporalProbe(temporal, config.temporal.namespace),
    rpcProbe(config.solana.rpcUrls),
  ];
  const dependencies = dependenciesOf({ db: metricsDb, temporal, replica, config });
  const now = () => new Date();
  const metrics = await serveMetrics(config, {
    metrics: apiMetrics(meters, { pool, replica, db: metricsDb, now, logger, dependencies }),
    probes,
    logger,
  });
  const app = await buildApp({
    config,
    logger,
    db,
    reads: replica?.db ?? db,
    client,
    switches: createSwitchReader(() => switches.read(db)),
    launching,
    requestMeters: meters.requests,
    traces,
    probes,
    rateStore: rateStore ?? undefined,
    ...(extension && { extension }),
    now,
  });
  app.addHook('onClose', async () => {
    await traces?.close();
    await metrics?.close();
    await metricsDb.destroy();
    await temporal.close();
    await replica?.close();
    await db.destroy();
    await rateStore?.close();
  });
  closeOnSignal(app, config.shutdownGraceMs);
  warmUpDecoders();
  await app.listen({ host: config.host, port: config.port, backlog: 1024 });
}

/** The standby's lag, ms. */
const LOOK_AT_REPLICA_MS = 1_000;

/** Null without a standby. */
function openReplica({ readReplica, database }: ApiConfig, primary: Pool, logger: Logger): ReadReplica | null {
  if (!readReplica) return null;
  const { url, mostLagMs } = readReplica;
  const onIdleError = (error: Error) => {
    logger.warn({ err: error }, 'an idle connection to the standby broke');
  };
  // Short: the primary can serve a request that waits for a lost standby.
  const limits = { maxConnections: database.poolSize, connectTimeoutMs: 1_000 };
  const replica = createPool(url, { applicationName: 'slipway-api-reads', onIdleError, ...limits });
  const onChange = (problem: string | null) => {
    if (problem === null) logger.info('lists and sums are read from the standby');
    else logger.warn({ problem }, 'lists and sums are read from the primary');
  };
  return openReadReplica({ primary, replica, mostLagMs, everyMs: LOOK_AT_REPLICA_MS, onChange });
}
