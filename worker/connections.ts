import { NativeConnection } from '@temporalio/worker';
import { assertFitsChain } from '../config/chain-rules.ts';
import type { TemporalConnection } from '../config/temporal.ts';
import type { WorkerConfig } from '../config/worker.ts';
import { reportedFetch, type RpcCall } from '../chain/rpc/reported-fetch.ts';
import { createRpc, type Rpc } from '../chain/rpc/rpc.ts';
import { openPlatformSigners, type PlatformSigners } from '../chain/signers/platform-signers.ts';
import { assertSchemaKnown, createSchemaCheck } from '../db/catalogue/live-schema.ts';
import { connect, type Db } from '../db/connect.ts';
import { claimEnvironment, EnvironmentMismatchError } from '../db/platform/environment.ts';
import * as labelledWallets from '../db/platform/labelled-wallets.ts';
import { assertTakesWrites } from '../db/platform/refused-writes.ts';
import { SchemaMismatchError } from '../db/schema-gap.ts';
import { retryStart, type StartRetry } from './retry-start.ts';

export interface Connections {
  readonly db: Db;
  /** Activities may hold all others. */
  readonly metricsDb: Db;
  readonly rpc: Rpc;
  readonly temporal: NativeConnection;
  /** Each has signed once. */
  readonly signers: PlatformSigners;
  readonly genesisHash: string;
  close(): Promise<void>;
}

export type ConnectionSettings = Pick<
  WorkerConfig,
  'database' | 'temporal' | 'solana' | 'environment' | 'signers' | 'chainRules'
>;

/**
 * Connects with retries and claims the database for this environment and chain. `onRpcCall` gets every call.
 * @throws SignerError if a key does not sign
 * @throws ConfigError if the configuration does not fit the chain
 * @throws SchemaMismatchError for another release
 * @throws EnvironmentMismatchError for another environment or chain
 * @throws Error if a part stays unreachable, or endpoints are of different chains
 */
export async function openConnections(
  settings: ConnectionSettings,
  retry: StartRetry,
  onRpcCall: (call: RpcCall) => void,
): Promise<Connections> {
  const signers = await openPlatformSigners(settings.signers);
  logSigners(signers, retry);
  const rpc = createRpc({
    endpoints: settings.solana.rpcUrls,
    fetch: reportedFetch(globalThis.fetch, onRpcCall),
  });
  const { url, poolSize } = settings.database;
  const onIdleError = (error: Error) => retry.logger.warn({ err: error }, 'an idle database connection broke');
  const db = connect(url, { applicationName: 'slipway-worker', maxConnections: poolSize, onIdleError });
  const metricsDb = connect(url, { applicationName: 'slipway-worker-metrics', maxConnections: 2, onIdleError });
  try {
    const genesisHash = await retryStart('Solana RPC', () => rpc.genesisHash(), retry);
    assertFitsChain(settings.chainRules, genesisHash);
    await claim(db, settings, genesisHash, retry);
    await labelOwnWallets(db, signers);
    const temporal = await connectTemporal(settings.temporal.connection, retry);
    const close = async (): Promise<void> => {
      await temporal.close();
      await Promise.all([db.destroy(), metricsDb.destroy()]);
    };
    return { db, metricsDb, rpc, temporal, signers, genesisHash, close };
  } catch (error) {
    await Promise.all([db.destroy(), metricsDb.destroy()]);
    throw error;
  }
}

function logSigners({ treasury, platform, rewards }: PlatformSigners, { logger }: StartRetry): void {
  for (const { name, publicKey } of [treasury, platform, rewards]) {
    logger.info({ signer: name, address: publicKey.toBase58() }, 'a key of the platform signs');
  }
}

async function claim(db: Db, settings: ConnectionSettings, genesisHash: string, retry: StartRetry): Promise<void> {
  const { environment } = settings;
  await retryStart(
    `PostgreSQL at ${new URL(settings.database.url).host}`,
    async () => {
      await assertSchemaKnown(db, (difference) => {
        retry.logger.warn({ difference }, 'the schema differs from that of this release');
      });
      await claimEnvironment(db, { environment, genesisHash });
    },
    retry,
    (error) => error instanceof EnvironmentMismatchError || error instanceof SchemaMismatchError,
  );
  retry.logger.info({ environment, genesisHash }, 'database belongs to this environment and chain');
}

async function labelOwnWallets(db: Db, { treasury, platform, rewards }: PlatformSigners): Promise<void> {
  const wallets = [treasury, platform, rewards].map(({ publicKey }) => publicKey.toBase58());
  const labelled = [...new Set(wallets)].map((address) => ({ address, label: 'treasury' as const }));
  await labelledWallets.addMissing(db, labelled, 'worker');
}

function connectTemporal(how: TemporalConnection, retry: StartRetry): Promise<NativeConnection> {
  return retryStart(`Temporal at ${how.address}`, () => NativeConnection.connect(how), retry);
}

/** Readiness checks, one per connection. */
export function connectionChecks(
  { db, rpc, temporal }: Pick<Connections, 'db' | 'rpc' | 'temporal'>,
  namespace: string,
) {
  const assertSchema = createSchemaCheck(db);
  return {
    postgres: async (): Promise<void> => {
      await assertTakesWrites(db);
      await assertSchema();
    },
    temporal: async (): Promise<void> => void (await temporal.workflowService.describeNamespace({ namespace })),
    rpc: async (): Promise<void> => void (await rpc.head('processed')),
  };
}
