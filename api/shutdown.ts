import type { ApiInstance } from './instance.ts';

/**
 * Ends the process on SIGTERM and SIGINT: no new connections, requests in flight are answered, status 0. After `graceMs`, or
 * on a second signal, it ends at once with status 1; a submit that was waiting is answered again when the client repeats it.
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
