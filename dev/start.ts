import { Command } from 'commander';
import { describeAddresses, describeEvent } from './stack/describe-event.ts';
import { errorMessage } from './stack/errors.ts';
import { startStack } from './stack/index.ts';
import { DEFAULT_DATA_DIRECTORY, layoutOf } from './stack/layout.ts';
import { readStackFile } from './stack/stack-file.ts';

type StartOptions = { readonly keep?: true; readonly json?: true };

function say(text: string): void {
  process.stderr.write(`${text}\n`);
}

/** Ctrl-C once: stop in order. Twice: at once; during the start that means to go and leave the rest to the watcher. */
function stopSignals(force: () => void): AbortSignal {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (stop.signal.aborted) force();
      else {
        say(`${signal}: stopping; once more to kill`);
        stop.abort(new Error(`stopped by ${signal}`));
      }
    });
  }
  return stop.signal;
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => {
      resolve();
    });
  });
}

async function start({ keep, json }: StartOptions): Promise<void> {
  let force = (): void => {
    process.exit(1);
  };
  const signal = stopSignals(() => {
    force();
  });
  const stack = await startStack({
    keep: keep === true,
    signal,
    onProgress: (event) => {
      const text = describeEvent(event);
      if (text !== undefined) say(text);
    },
  });
  force = stack.force;
  const { stackFile } = layoutOf(DEFAULT_DATA_DIRECTORY);
  say(`\nThe platform is ready:\n${describeAddresses(stack)}\n\nAll addresses: ${stackFile}. Ctrl-C stops it.\n`);
  if (json === true) console.log(JSON.stringify(readStackFile(stackFile)));
  await aborted(signal);
  await stack.stop();
}

const program = new Command('npm start --')
  .description('Run the whole platform in the foreground: Temporal, PostgreSQL, Solana, block engine, API and worker.')
  .option('--keep', 'go on with the state of the earlier run instead of a fresh one')
  .option('--json', 'print the addresses as one line of JSON when everything is ready')
  .addHelpText(
    'after',
    "\nPORT chooses the API's port (default 8080, or a free one where that is taken; 0 = any free one).\n" +
      'DATABASE_URL, TEMPORAL_ADDRESS, SOLANA_RPC_URL, BLOCK_ENGINE_URL: that part is used and not started.',
  )
  .action(start);

try {
  await program.parseAsync();
} catch (error) {
  say(`npm start: ${errorMessage(error)}`);
  process.exitCode = 1;
}
