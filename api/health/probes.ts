import type { Connection } from '@temporalio/client';
import Type from 'typebox';
import { Value } from 'typebox/value';
import type { Db } from '../../db/connect.ts';
import { assertTakesWrites } from '../../db/platform/refused-writes.ts';
import type { ReadinessProbe } from './readiness.ts';

/** PostgreSQL answers, and takes writes: prepares and submits do. */
export function postgresProbe(db: Db): ReadinessProbe {
  return { name: 'postgres', check: () => assertTakesWrites(db) };
}

/** Temporal answers and has the namespace. */
export function temporalProbe(connection: Connection, namespace: string): ReadinessProbe {
  return {
    name: 'temporal',
    check: (signal) =>
      connection.withAbortSignal(signal, () => connection.workflowService.describeNamespace({ namespace })),
  };
}

const HealthAnswerSchema = Type.Object({ result: Type.Literal('ok') });

/** At least one RPC endpoint says of itself that it is healthy: reads need one, and a second one is asked where two are needed. */
export function rpcProbe(urls: readonly string[]): ReadinessProbe {
  return { name: 'rpc', check: (signal) => Promise.any(urls.map((url) => askHealth(url, signal))) };
}

async function askHealth(url: string, signal: AbortSignal): Promise<void> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'getHealth' });
  const answer = await fetch(url, { method: 'POST', body, headers: { 'content-type': 'application/json' }, signal });
  const health: unknown = await answer.json();
  if (!Value.Check(HealthAnswerSchema, health))
    throw new Error(`the RPC endpoint is not healthy (HTTP ${answer.status})`);
}
