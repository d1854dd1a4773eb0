import { describeAddresses, describeEvent } from './stack/describe-event.ts';
import { type RunningStack, startStack } from './stack/index.ts';
import { DEFAULT_DATA_DIRECTORY, layoutOf } from './stack/layout.ts';

export interface ForegroundOptions {
  readonly keep: boolean;
  readonly platformToken?: boolean;
  /** When all parts are ready; the stack stops when it resolves or a signal arrives. */
  readonly whileReady: (stack: RunningStack, signal: AbortSignal) => Promise<void>;
}

/** Writes to standard error; standard output is for results. */
export function say(text: string): void {
  process.stderr.write(`${text}\n`);
}

export async function runInForeground({ keep, platformToken = false, whileReady }: ForegroundOptions): Promise<void> {
  let force = (): void => {
    process.exit(1);
  };
  const signal = stopSignals(() => {
    force();
  });
  const stack = await startStack({
    keep,
    platformToken,
    signal,
    onProgress: (event) => {
      const text = describeEvent(event);
      if (text !== undefined) say(text);
    },
  });
  force = stack.force;
  const { stackFile } = layoutOf(DEFAULT_DATA_DIRECTORY);
  say(`\nThe platform is ready:\n${describeAddresses(stack)}\n\nAll addresses: ${stackFile}. Ctrl-C stops it.\n`);
  try {
    await Promise.race([whileReady(stack, signal), aborted(signal)]);
  } finally {
    await stack.stop();
  }
}

export function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => {
      resolve();
    });
  });
}

/** Time in which two signals count as one: under npm one Ctrl-C arrives twice. */
const SAME_SIGNAL_MS = 500;

/** First: in order. Second: at once; during the start, the watcher cleans up. */
function stopSignals(force: () => void): AbortSignal {
  const stop = new AbortController();
  let first = 0;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (!stop.signal.aborted) {
        first = Date.now();
        say(`${signal}: stopping; once more to kill`);
        stop.abort(new Error(`stopped by ${signal}`));
      } else if (Date.now() - first > SAME_SIGNAL_MS) force();
    });
  }
  return stop.signal;
}
