import { describeAddresses, describeEvent } from './stack/describe-event.ts';
import { type RunningStack, startStack } from './stack/index.ts';
import { DEFAULT_DATA_DIRECTORY, layoutOf } from './stack/layout.ts';

/** How a command runs the stack in the foreground. */
export interface ForegroundOptions {
  /** Go on with the state of the earlier run instead of a fresh one. */
  readonly keep: boolean;
  /** Give a fresh stack a platform token of its own. */
  readonly platformToken?: boolean;
  /** Called when everything is ready; the stack stops when it resolves or when a signal arrives. */
  readonly whileReady: (stack: RunningStack, signal: AbortSignal) => Promise<void>;
}

/** Prints a line for people; standard output is kept for results. */
export function say(text: string): void {
  process.stderr.write(`${text}\n`);
}

/** Runs the whole platform until its work is done or Ctrl-C is pressed, and takes it down in order. */
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

/** Resolves when the signal fires. */
export function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => {
      resolve();
    });
  });
}

/** Under npm one Ctrl-C arrives twice: from the terminal, and passed on by npm. Only a later one is a second. */
const SAME_SIGNAL_MS = 500;

/** Ctrl-C once: stop in order. Twice: at once; during the start that means to go and leave the rest to the watcher. */
function stopSignals(force: () => void): AbortSignal {
  const stop = new AbortController();
  let first = 0;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
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
