import { Client, Connection } from '@temporalio/client';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import { reportedFetch } from '../chain/rpc/reported-fetch.ts';
import { createRpc } from '../chain/rpc/rpc.ts';
import { type ApiConfig, ApiVariablesSchema, readApiConfig } from '../config/api.ts';
import { assertFitsChain } from '../config/chain-rules.ts';
import { helpText } from '../config/describe.ts';
import { ConfigError } from '../config/environment.ts';
import { canChangeBooks } from '../db/api-role.ts';
import { connect, connectThrough, createPool } from '../db/connect.ts';
import { openReadReplica, type ReadReplica } from '../db/read-replica.ts';
import { claimEnvironment } from '../db/platform/environment.ts';
import * as switches from '../db/platform/switches.ts';
import { assertSchemaKnown, SchemaMismatchError } from '../db/schema-gap.ts';
import { errorTrace } from '../domain/error-text.ts';
import { openTraces } from '../observe/traces/open-traces.ts';
import { callListener } from '../observe/traces/rpc-spans.ts';
import { startedWorkflows } from '../observe/traces/started-workflows.ts';
import { buildApp } from './app.ts';
import { createSwitchReader } from './features.ts';
import { postgresProbe, rpcProbe, temporalProbe } from './health/probes.ts';
import { composeLaunching } from './launch/compose.ts';
import { reportLaunchGround } from './launch/report-ground.ts';
import { apiMetrics, createApiMeters } from './metrics/api-meters.ts';
import { serveMetrics } from './metrics/serve-metrics.ts';
import { createLogger } from './plugins/logging.ts';
import { openRateStore } from './plugins/shared-rate-store.ts';
import { closeOnSignal } from './shutdown.ts';

/** Connects to everything, refuses a database of another schema, chain or environment, then listens. */
async function start(config: ApiConfig): Promise<void> {
  const logger = createLogger(config.logLevel);
  const onIdleError = (error: Error) => {
    logger.warn({ err: error }, 'an idle database connection broke');
  };
  const { url, poolSize } = config.database;
  const pool = createPool(url, { applicationName: 'slipway-api', maxConnections: poolSize, onIdleError });
  const db = connectThrough(pool);
  const replica = openReplica(config, pool, logger);
  const ofMetrics = connect(url, { applicationName: 'slipway-api-metrics', maxConnections: 1, onIdleError });
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
  await assertSchemaKnown(db);
  await claimEnvironment(db, { environment: config.environment, genesisHash });
  if (!config.desk && (await canChangeBooks(db)))
    logger.warn('the role of DATABASE_URL can change what is paid; give the API one of its own (docs/deploy.md)');
  const launching = composeLaunching(config, { db, rpc, client, genesisHash, logger, onFeeRead: meters.fees.read });
  await reportLaunchGround(launching, { db, logger, treasuryAddress: config.treasuryAddress });
  const rateStore = openRateStore(config, logger);
  const probes = [
    postgresProbe(db),
    temporalProbe(temporal, config.temporal.namespace),
    rpcProbe(config.solana.rpcUrls),
  ];
  const now = () => new Date();
  const metrics = await serveMetrics(config, {
    metrics: apiMetrics(meters, { pool, replica, db: ofMetrics, now, logger }),
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
    rateStore: rateStore?.store,
    now,
  });
  app.addHook('onClose', async () => {
    await traces?.close();
    await metrics?.close();
    await ofMetrics.destroy();
    await temporal.close();
    await replica?.close();
    await db.destroy();
    await rateStore?.close();
  });
  closeOnSignal(app, config.shutdownGraceMs);
  await app.listen({ host: config.host, port: config.port, backlog: 1024 });
}

/** How often it is asked how far the standby is behind, in ms. */
const LOOK_AT_REPLICA_MS = 1_000;

/** The standby that is read from; null where none is configured. */
function openReplica({ readReplica, database }: ApiConfig, primary: Pool, logger: Logger): ReadReplica | null {
  if (!readReplica) return null;
  const { url, mostLagMs } = readReplica;
  const onIdleError = (error: Error) => {
    logger.warn({ err: error }, 'an idle connection to the standby broke');
  };
  // Whoever waits for one that is away could be answered by the primary.
  const limits = { maxConnections: database.poolSize, connectTimeoutMs: 1_000 };
  const replica = createPool(url, { applicationName: 'slipway-api-reads', onIdleError, ...limits });
  const onChange = (problem: string | null) => {
    if (problem === null) logger.info('lists and sums are read from the standby');
    else logger.warn({ problem }, 'lists and sums are read from the primary');
  };
  return openReadReplica({ primary, replica, mostLagMs, everyMs: LOOK_AT_REPLICA_MS, onChange });
}

if (process.argv.includes('--help')) {
  process.stdout.write(`The HTTP API. It is configured by environment variables:\n\n${helpText(ApiVariablesSchema)}\n`);
} else {
  try {
    await start(readApiConfig(process.env));
  } catch (error) {
    process.stderr.write(
      `api: ${error instanceof ConfigError || error instanceof SchemaMismatchError ? error.message : errorTrace(error)}\n`,
    );
    process.exit(1);
  }
}
