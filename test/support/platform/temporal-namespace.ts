import { NativeConnection, Runtime } from '@temporalio/worker';
import type { Logger } from 'pino';
import { temporalLogger } from '../../../worker/logger.ts';
import { prepareNamespace } from '../../../worker/prepare-namespace.ts';
import { createTestTemporal, type TestTemporal } from '../../setup/temporal.ts';
import { registerNamespace } from '../worker/namespaces.ts';

/** A namespace of one platform's own: the task queues have fixed names, and other tests' launches must not come here. */
export interface TestNamespace extends TestTemporal {
  readonly namespace: string;
}

/**
 * Registers a namespace and brings it to what the workflows expect, as the worker does at its start, but for the schedules: rounds
 * run when a test says so, and those of a test that has ended would go on in the server.
 */
export async function createNamespace(logger: Logger): Promise<TestNamespace> {
  installRuntime(logger);
  const temporal = await createTestTemporal();
  const namespace = temporal.unique('platform');
  const connection = await NativeConnection.connect({ address: temporal.address });
  try {
    await registerNamespace(connection, namespace);
    const retry = { logger, signal: new AbortController().signal, timeoutMs: 20_000 };
    await prepareNamespace(connection, namespace, retry, []);
  } finally {
    await connection.close();
  }
  return { ...temporal, namespace };
}

/** The runtime is the process's own: the first platform of a test file installs it, without taking its signals. */
function installRuntime(logger: Logger): void {
  if (Runtime._instance) return;
  Runtime.install({
    logger: temporalLogger(logger),
    shutdownSignals: [],
    telemetryOptions: { logging: { filter: { core: 'WARN', other: 'ERROR' }, forward: {} } },
  });
}
