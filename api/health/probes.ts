import type { Connection } from '@temporalio/client';
import { createSchemaCheck } from '../../db/catalogue/live-schema.ts';
import type { Db } from '../../db/connect.ts';
import { assertTakesWrites } from '../../db/platform/refused-writes.ts';
import { endpointHealth } from '../../chain/rpc/endpoint-health.ts';
import type { ApiConfig } from '../../config/api.ts';
import type { ReadReplica } from '../../db/read-replica.ts';
import type { Dependency } from '../../observe/dependency-meter.ts';
import type { ReadinessProbe } from './readiness.ts';

/** Passes if the database accepts writes, which prepare and submit need, and its schema fits. */
export function postgresProbe(db: Db): ReadinessProbe {
  const assertSchema = createSchemaCheck(db);
  return {
    name: 'postgres',
    check: async () => {
      await assertTakesWrites(db);
      await assertSchema();
    },
  };
}

export function temporalProbe(connection: Connection, namespace: string): ReadinessProbe {
  return {
    name: 'temporal',
    check: (signal) =>
      connection.withAbortSignal(signal, () => connection.workflowService.describeNamespace({ namespace })),
  };
}

/** Time after which a probe is cancelled, ms. */
const TIMEOUT_MS = 2_000;

/** Passes if at least one endpoint is healthy: reads need one. */
export function rpcProbe(urls: readonly string[]): ReadinessProbe {
  const endpoints = endpointHealth(urls, TIMEOUT_MS);
  return { name: 'rpc', check: () => Promise.any(endpoints.map(({ check }) => check())) };
}

export interface ApiDependencies {
  /** The metrics page's own connection: work may have taken all others. */
  readonly db: Db;
  readonly temporal: Connection;
  readonly replica: Pick<ReadReplica, 'problem'> | null;
  readonly config: Pick<ApiConfig, 'temporal' | 'solana'>;
}

/** A failed endpoint is named although another responds. */
export function dependenciesOf({ db, temporal, replica, config }: ApiDependencies): readonly Dependency[] {
  const ofTemporal = temporalProbe(temporal, config.temporal.namespace);
  return [
    { name: 'database', check: () => assertTakesWrites(db) },
    { name: 'temporal', check: async () => void (await ofTemporal.check(AbortSignal.timeout(TIMEOUT_MS))) },
    ...endpointHealth(config.solana.rpcUrls, TIMEOUT_MS).map(
      ({ name, check }) => ({ name: 'rpc', endpoint: name, check }) as const,
    ),
    ...(replica === null ? [] : [{ name: 'read_replica', check: () => assertKeepsUp(replica) } as const]),
  ];
}

async function assertKeepsUp(replica: Pick<ReadReplica, 'problem'>): Promise<void> {
  const problem = replica.problem();
  if (problem !== null) throw new Error(problem);
}
