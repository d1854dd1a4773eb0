import type { ApiInstance } from './instance.ts';

/**
 * Closes on SIGTERM and SIGINT: takes no new connections, completes requests, exits with 0; after `graceMs` or a second
 * signal at once with 1. A client whose submit waited gets its response by a repeat.
 */
export function closeOnSignal(app: ApiInstance, graceMs: number): void {
  let closing = false;
  const close = (signal: NodeJS.Signals) => {
    if (closing) process.exit(1);
    closing = true;
    app.log.info({ signal, graceMs }, 'closing');
    setTimeout(() => {
      app.log.error({ graceMs }, 'requests in flight did not end in time');
      process.exit(1);
    }, graceMs).unref();
    app.close().then(
      () => process.exit(0),
      (error: unknown) => {
        app.log.error({ err: error }, 'closing failed');
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', close);
  process.on('SIGINT', close);
}
