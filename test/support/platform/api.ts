import { Client, Connection } from '@temporalio/client';
import { buildApp } from '../../../api/app.ts';
import type { ApiInstance } from '../../../api/instance.ts';
import { composeLaunching } from '../../../api/launch/compose.ts';
import { createLogger } from '../../../api/plugins/logging.ts';
import type { ExchangeAdapter } from '../../../chain/exchange/exchange-adapter.ts';
import { reportedFetch } from '../../../chain/rpc/reported-fetch.ts';
import { createRpc } from '../../../chain/rpc/rpc.ts';
import { readApiConfig } from '../../../config/api.ts';
import type { Variables } from '../../../config/environment.ts';
import { connect } from '../../../db/connect.ts';
import * as switches from '../../../db/platform/switches.ts';
import { openTraces } from '../../../observe/traces/open-traces.ts';
import { recordCall } from '../../../observe/traces/rpc-spans.ts';
import { startedWorkflows } from '../../../observe/traces/started-workflows.ts';
import { apiUrlOf } from '../../setup/database.ts';
import { standInOf } from '../exchange/stand-in-of.ts';
import { checkAnswers } from '../api/check-answers.ts';
import type { CapturedLog } from './captured-log.ts';

/** The API as api/main.ts composes it, asked through `inject`; switches take effect at once. `now` is its clock. */
export async function startApi(
  variables: Variables,
  log: CapturedLog,
  exchange: ExchangeAdapter = standInOf(variables),
  now = () => new Date(),
): Promise<ApiInstance> {
  const config = readApiConfig(variables);
  const db = connect(apiUrlOf(config.database.url), {
    applicationName: 'test-api',
    maxConnections: config.database.poolSize,
  });
  const temporal = Connection.lazy(config.temporal.connection);
  const logger = createLogger(config.logLevel, log.destination);
  const traces = await openTraces(config, 'slipway-api', logger);
  const client = new Client({
    connection: temporal,
    namespace: config.temporal.namespace,
    interceptors: { workflow: startedWorkflows(traces) },
  });
  const rpc = createRpc({
    endpoints: config.solana.rpcUrls,
    fetch: reportedFetch(globalThis.fetch, (call) => traces && recordCall(traces, call)),
  });
  const genesisHash = await rpc.genesisHash();
  const deps = {
    config,
    db,
    reads: db,
    client,
    logger,
    probes: [],
    switches: { read: () => switches.read(db) },
    traces,
    launching: composeLaunching(config, { db, rpc, client, genesisHash, logger, exchange }),
    now,
  };
  const app = await buildApp(deps, checkAnswers);
  app.addHook('onClose', async () => {
    await traces?.close();
    await temporal.close();
    await db.destroy();
  });
  return app;
}
