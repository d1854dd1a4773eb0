import { basename, dirname, resolve } from 'node:path';
import { Connection } from '@temporalio/client';
import type { HealthCheck } from '../health.ts';
import { errorTextWithCauses } from '../../../domain/error-text.ts';
import { SEARCH_ATTRIBUTES } from '../../../workflows/search-attributes.ts';
import { groupListensOn } from '../listening.ts';
import type { PartSpec } from '../part.ts';
import type { UiAddress } from './ui-gate.ts';

export type TemporalServerOptions = {
  readonly binary: string;
  /** SQLite; survives `kill -9`. */
  readonly databaseFile: string;
  readonly namespace: string;
  readonly port: number;
  /** Needs no login; null: none. */
  readonly ui: UiAddress | null;
  readonly httpPort: number;
  readonly metricsPort: number;
  readonly temporaryDirectory: string;
};

function uiArguments(ui: UiAddress | null): string[] {
  return ui === null ? ['--headless'] : ['--ui-ip', ui.ip, '--ui-port', String(ui.port)];
}

/**
 * Passes once the namespace exists: the front end responds earlier. Every development server has "default", so the
 * part's process must hold the port.
 */
export function temporalHealth(port: number, namespace: string): HealthCheck {
  const address = `127.0.0.1:${port}`;
  return async (_signal, { pid }) => {
    // Client retries would hide the failure behind a deadline.
    const connection = await Connection.connect({ address, connectTimeout: 2_000, interceptors: [] });
    try {
      await connection.withDeadline(Date.now() + 2_000, () =>
        connection.workflowService.describeNamespace({ namespace }),
      );
    } finally {
      await connection.close();
    }
    if (!groupListensOn(pid, port)) throw new Error(`another process answers on ${address} as Temporal`);
  };
}

/**
 * A race in the SQLite driver leaves a connection that reports "interrupted" for ever (temporalio/temporal pull request
 * 9198). The data is intact; a restart recovers.
 */
export function isTemporalBroken(error: unknown): boolean {
  return /\binterrupted \(9\)/.test(errorTextWithCauses(error));
}

/**
 * `transferProcessorMaxPollRPS`: with 20 a second each step of a lone workflow waits for a 50 ms tick: three activities
 * take 350 ms, with 2000 33 ms. `httpAllowedHosts`: the unused HTTP API accepts any page and cannot be disabled; no
 * page has a name under `.invalid`. `synchronous`: data survives `kill -9`, not a crash of the machine; disk syncs
 * would be two fifths of the CPU.
 */
export function temporalPart(options: TemporalServerOptions): PartSpec {
  const address = `127.0.0.1:${options.port}`;
  const args = [
    'server',
    'start-dev',
    '--ip',
    '127.0.0.1',
    '--log-level',
    'warn',
    '--port',
    String(options.port),
    ...uiArguments(options.ui),
    '--http-port',
    String(options.httpPort),
    '--metrics-port',
    String(options.metricsPort),
    '--namespace',
    options.namespace,
    '--db-filename',
    basename(options.databaseFile),
    '--sqlite-pragma',
    'synchronous=0',
    '--dynamic-config-value',
    'history.transferProcessorMaxPollRPS=2000',
    '--dynamic-config-value',
    'frontend.httpAllowedHosts=["nobody.invalid"]',
    ...SEARCH_ATTRIBUTES.flatMap(({ name }) => ['--search-attribute', `${name}=Keyword`]),
  ];
  return {
    name: 'temporal',
    command: resolve(options.binary),
    args,
    // The server makes a URL of the file's name, so a `#` or `%` in its path would name another file.
    cwd: dirname(options.databaseFile),
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: options.temporaryDirectory,
      TMPDIR: options.temporaryDirectory,
    },
    address,
    ports: [options.port, options.httpPort, options.metricsPort],
    health: temporalHealth(options.port, options.namespace),
    isBroken: isTemporalBroken,
    readyWithinMs: 60_000,
    stopStage: 5,
    stopSignal: 'SIGTERM',
    stopWithinMs: 5_000,
  };
}
