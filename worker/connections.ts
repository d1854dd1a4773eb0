import { NativeConnection } from '@temporalio/worker';
import { assertFitsChain } from '../config/chain-rules.ts';
import type { TemporalConnection } from '../config/temporal.ts';
import type { WorkerConfig } from '../config/worker.ts';
import { reportedFetch, type RpcCall } from '../chain/rpc/reported-fetch.ts';
import { createRpc, type Rpc } from '../chain/rpc/rpc.ts';
import { openPlatformSigners, type PlatformSigners } from '../chain/signers/platform-signers.ts';
import { connect, type Db } from '../db/connect.ts';
import { claimEnvironment, EnvironmentMismatchError } from '../db/platform/environment.ts';
import * as labelledWallets from '../db/platform/labelled-wallets.ts';
import { assertTakesWrites } from '../db/platform/refused-writes.ts';
import { assertSchemaKnown, SchemaMismatchError } from '../db/schema-gap.ts';
import { retryStart, type StartRetry } from './retry-start.ts';

/** What the worker talks to for its whole life. */
export interface Connections {
  readonly db: Db;
  /** Connections of the metrics page's own: work may have taken all others. */
  readonly ofMetrics: Db;
  readonly rpc: Rpc;
  readonly temporal: NativeConnection;
  /** The platform's own keys; each has proven that it signs. */
  readonly signers: PlatformSigners;
  /** Genesis hash of the chain, to which the database belongs. */
  readonly genesisHash: string;
  close(): Promise<void>;
}

/** The settings this needs of the worker's configuration. */
export type ConnectionSettings = Pick<
  WorkerConfig,
  'database' | 'temporal' | 'solana' | 'environment' | 'signers' | 'chainRules'
>;

/**
 * Opens the platform's keys, connects to PostgreSQL, the chain and Temporal, each retried until it answers, and claims the
 * database for this environment and chain. `onRpcCall` hears of every call to an RPC endpoint. Throws a SignerError when a key does not sign, when a part stays away, when RPC
 * endpoints are of different chains, a ConfigError when this configuration is not fit for the chain, a SchemaMismatchError when
 * the database is of another release, and an EnvironmentMismatchError when it belongs to another environment or chain.
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
  const ofMetrics = connect(url, { applicationName: 'slipway-worker-metrics', maxConnections: 2, onIdleError });
  try {
    const genesisHash = await retryStart('Solana RPC', () => rpc.genesisHash(), retry);
    assertFitsChain(settings.chainRules, genesisHash);
    await claim(db, settings, genesisHash, retry);
    await labelOwnWallets(db, signers);
    const temporal = await connectTemporal(settings.temporal.connection, retry);
    const close = async (): Promise<void> => {
      await temporal.close();
      await Promise.all([db.destroy(), ofMetrics.destroy()]);
    };
    return { db, ofMetrics, rpc, temporal, signers, genesisHash, close };
  } catch (error) {
    await Promise.all([db.destroy(), ofMetrics.destroy()]);
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
      await assertSchemaKnown(db);
      await claimEnvironment(db, { environment, genesisHash });
    },
    retry,
    (error) => error instanceof EnvironmentMismatchError || error instanceof SchemaMismatchError,
  );
  retry.logger.info({ environment, genesisHash }, 'database belongs to this environment and chain');
}

/** No airdrop goes to the platform itself; what somebody has said of these wallets stays. */
async function labelOwnWallets(db: Db, { treasury, platform, rewards }: PlatformSigners): Promise<void> {
  const wallets = [treasury, platform, rewards].map(({ publicKey }) => publicKey.toBase58());
  const labelled = [...new Set(wallets)].map((address) => ({ address, label: 'treasury' as const }));
  await labelledWallets.addMissing(db, labelled, 'worker');
}

function connectTemporal(how: TemporalConnection, retry: StartRetry): Promise<NativeConnection> {
  return retryStart(`Temporal at ${how.address}`, () => NativeConnection.connect(how), retry);
}

/** One check for each connection, for the readiness probe. */
export function connectionChecks(
  { db, rpc, temporal }: Pick<Connections, 'db' | 'rpc' | 'temporal'>,
  namespace: string,
) {
  return {
    postgres: (): Promise<void> => assertTakesWrites(db),
    temporal: async (): Promise<void> => void (await temporal.workflowService.describeNamespace({ namespace })),
    rpc: async (): Promise<void> => void (await rpc.head('processed')),
  };
}
