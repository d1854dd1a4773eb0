import { Command } from 'commander';
import { errorTextWithCauses } from '../domain/error-text.ts';
import { aborted, runInForeground, say } from './foreground.ts';
import { launchPlatformToken } from './platform-token.ts';
import { DEFAULT_DATA_DIRECTORY, layoutOf } from './stack/layout.ts';
import { readStackFile } from './stack/stack-file.ts';

type StartOptions = { readonly keep?: true; readonly json?: true };

async function start({ keep, json }: StartOptions): Promise<void> {
  await runInForeground({
    keep: keep === true,
    platformToken: true,
    whileReady: async (stack, signal) => {
      if (stack.platformToken !== null) await launchPlatformToken(stack, stack.platformToken);
      const { stackFile } = layoutOf(DEFAULT_DATA_DIRECTORY);
      if (json === true) console.log(JSON.stringify(readStackFile(stackFile)));
      await aborted(signal);
    },
  });
}

const program = new Command('npm start --')
  .description('Run the whole platform in the foreground: Temporal, PostgreSQL, Solana, block engine, API and worker.')
  .option('--keep', 'go on with the state of the earlier run instead of a fresh one')
  .option('--json', 'print the addresses as one line of JSON when everything is ready')
  .addHelpText(
    'after',
    "\nPORT chooses the API's port (default 8080, or a free one where that is taken; 0 = any free one).\n" +
      'DATABASE_URL, TEMPORAL_ADDRESS, SOLANA_RPC_URL, BLOCK_ENGINE_URL: that part is used and not started.\n' +
      'LAUNCH_MINT_SUFFIX: one or two letters that the addresses of all launched tokens end in.\n' +
      'LOCAL_STREAM=1: the market is followed by the stream of the local chain instead of by looks at its pools.',
  )
  .action(start);

try {
  await program.parseAsync();
} catch (error) {
  say(`npm start: ${errorTextWithCauses(error)}`);
  process.exitCode = 1;
}
