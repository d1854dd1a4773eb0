import { Connection } from '@solana/web3.js';
import { Command } from 'commander';
import { createExchange } from '../chain/exchange/create-exchange.ts';
import type { Exchange } from '../chain/exchange/exchange.ts';
import { errorTextWithCauses } from '../domain/error-text.ts';
import { isAllAsPromised, printReport } from './demo/report.ts';
import { runScenario } from './demo/scenario.ts';
import { aborted, runInForeground, say } from './foreground.ts';
import type { RunningStack } from './stack/index.ts';
import { loadKeys } from './stack/keys.ts';
import { DEFAULT_DATA_DIRECTORY, layoutOf } from './stack/layout.ts';

type DemoOptions = { readonly exit?: true; readonly json?: true };

/** The stand-in's pools can be read only with its seed, which a local stack keeps beside its other keys. */
async function exchangeOf(stack: RunningStack): Promise<Exchange> {
  const connection = new Connection(stack.rpcUrl, 'confirmed');
  const { STAND_IN_SEED } = loadKeys(layoutOf(DEFAULT_DATA_DIRECTORY).keysFile, process.env);
  const seed = Uint8Array.from(Buffer.from(STAND_IN_SEED, 'base64'));
  const choice = stack.exchange === 'local' ? ({ kind: 'local', seed } as const) : ({ kind: 'raydium' } as const);
  return createExchange(choice, connection, await connection.getGenesisHash());
}

async function demo({ exit, json }: DemoOptions): Promise<void> {
  await runInForeground({
    keep: false,
    whileReady: async (stack, signal) => {
      const results = await runScenario(stack, await exchangeOf(stack));
      printReport(results, stack, json === true);
      if (!isAllAsPromised(results)) process.exitCode = 1;
      if (exit !== true) await aborted(signal);
    },
  });
}

const program = new Command('npm run demo --')
  .description('Run the whole platform and launch two tokens on it as a creator would, with a wallet of its own.')
  .option('--exit', 'stop when the launch is done instead of running until Ctrl-C')
  .option('--json', 'print the launches and what the chain shows of them as one line of JSON')
  .action(demo);

try {
  await program.parseAsync();
} catch (error) {
  say(`npm run demo: ${errorTextWithCauses(error)}`);
  process.exitCode = 1;
}
