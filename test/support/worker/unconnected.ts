import { NativeConnection } from '@temporalio/worker';
import type { Metric } from 'prom-client';
import { pino } from 'pino';
import { reportedFetch } from '../../../chain/rpc/reported-fetch.ts';
import { createRpc } from '../../../chain/rpc/rpc.ts';
import { openPlatformSigners } from '../../../chain/signers/platform-signers.ts';
import { readWorkerConfig } from '../../../config/worker.ts';
import type { Db } from '../../../db/connect.ts';
import { createRpcMeter } from '../../../observe/rpc-meter.ts';
import { metersOf } from '../../../worker/composition.ts';
import { createShared, type Shared } from '../../../worker/shared.ts';
import { createTemporalClock } from '../../../worker/temporal-clock.ts';
import { createTestTemporal } from '../../setup/temporal.ts';
import { standInOf } from '../exchange/stand-in-of.ts';
import { createSecrets } from '../platform/secrets.ts';
import { WORKER_VARIABLES } from '../variables.ts';

/** What a worker process has, without the process: nothing of it polls. */
export interface UnconnectedWorker {
  readonly shared: Shared;
  /** All that the page of such a process is made of. */
  readonly meters: readonly Metric[];
  close(): Promise<void>;
}

/** Nothing listens there. */
export const NOWHERE = 'http://127.0.0.1:9';

/** The worker's parts on a database and the Temporal of the test; by default with nothing behind the other addresses. */
export async function unconnectedWorker(
  db: Db,
  { rpcUrl = NOWHERE, blockEngineUrl = NOWHERE }: { readonly rpcUrl?: string; readonly blockEngineUrl?: string } = {},
): Promise<UnconnectedWorker> {
  const temporal = await NativeConnection.connect({ address: (await createTestTemporal()).address });
  const keys = { TREASURY_SIGNER: 'env', PLATFORM_SIGNER: 'env', REWARDS_SIGNER: 'env', ...createSecrets() };
  const own = { ENVIRONMENT: 'test', SOLANA_RPC_URL: rpcUrl, BLOCK_ENGINE_URL: blockEngineUrl };
  const config = readWorkerConfig({ ...WORKER_VARIABLES, ...keys, ...own });
  const rpcMeter = createRpcMeter('slipway_worker_rpc_call_duration_seconds');
  const connections = {
    db,
    metricsDb: db,
    rpc: createRpc({ endpoints: [rpcUrl], fetch: reportedFetch(fetch, rpcMeter.called) }),
    temporal,
    signers: await openPlatformSigners(config.signers),
    genesisHash: 'genesis',
    close: () => temporal.close(),
  };
  const shared = createShared(config, connections, pino({ level: 'silent' }), { exchange: standInOf(keys) });
  return {
    shared,
    meters: [...metersOf(shared), rpcMeter.metric, createTemporalClock(Date.now, shared.logger).metric],
    async close() {
      shared.hints.close();
      shared.relay.close();
      await temporal.close();
    },
  };
}
