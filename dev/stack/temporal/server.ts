import { Connection } from '@temporalio/client';
import type { HealthCheck } from '../health.ts';
import { errorTextWithCauses } from '../../../domain/error-text.ts';
import { SEARCH_ATTRIBUTES } from '../../../workflows/search-attributes.ts';
import type { PartSpec } from '../part.ts';

/** How a local Temporal server is run. Every port is on loopback. */
export type TemporalServerOptions = {
  readonly binary: string;
  /** Where its state lives (SQLite), so that it survives `kill -9`. */
  readonly databaseFile: string;
  /** Made at the start; "default" is there in any case. */
  readonly namespace: string;
  readonly port: number;
  readonly uiPort: number;
  readonly httpPort: number;
  readonly metricsPort: number;
  readonly temporaryDirectory: string;
};

/** Healthy when the namespace can be described: the front end answers before its namespace is there. */
export function temporalHealth(address: string, namespace: string): HealthCheck {
  return async () => {
    // Without the client's own repeats, which would hide what failed behind a deadline.
    const connection = await Connection.connect({ address, connectTimeout: 2_000, interceptors: [] });
    try {
      await connection.withDeadline(Date.now() + 2_000, () =>
        connection.workflowService.describeNamespace({ namespace }),
      );
    } finally {
      await connection.close();
    }
  };
}

/**
 * A race in its SQLite driver can leave the development server with a connection on which every statement is "interrupted"
 * (temporalio/temporal pull request 9198). What is stored is whole, and another start finds it.
 */
export function isTemporalBroken(error: unknown): boolean {
  return /\binterrupted \(9\)/.test(errorTextWithCauses(error));
}

/**
 * The Temporal development server as a part of the stack.
 *
 * `transferProcessorMaxPollRPS`: the default of 20 a second per shard makes every step of a lone workflow wait for a 50 ms
 * tick (three activities in sequence: 350 ms with the default, 33 ms with 2000).
 *
 * `synchronous`: as with PostgreSQL, what is committed is in the kernel's cache, so it survives `kill -9`, only not a crash of the
 * machine. Waiting for the disk at every step is two fifths of the server's CPU and, on a busy disk, most of a workflow's time.
 */
export function temporalPart(options: TemporalServerOptions): PartSpec {
  const address = `127.0.0.1:${options.port}`;
  const args = [
    'server',
    'start-dev',
    '--ip',
    '127.0.0.1',
    '--ui-ip',
    '127.0.0.1',
    '--log-level',
    'warn',
    '--port',
    String(options.port),
    '--ui-port',
    String(options.uiPort),
    '--http-port',
    String(options.httpPort),
    '--metrics-port',
    String(options.metricsPort),
    '--namespace',
    options.namespace,
    '--db-filename',
    options.databaseFile,
    '--sqlite-pragma',
    'synchronous=0',
    '--dynamic-config-value',
    'history.transferProcessorMaxPollRPS=2000',
    ...SEARCH_ATTRIBUTES.flatMap(({ name }) => ['--search-attribute', `${name}=Keyword`]),
  ];
  return {
    name: 'temporal',
    command: options.binary,
    args,
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: options.temporaryDirectory,
      TMPDIR: options.temporaryDirectory,
    },
    address,
    health: temporalHealth(address, options.namespace),
    isBroken: isTemporalBroken,
    readyWithinMs: 60_000,
    stopStage: 5,
    stopSignal: 'SIGTERM',
    stopWithinMs: 5_000,
  };
}
