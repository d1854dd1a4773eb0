import { Connection } from '@solana/web3.js';
import { Command } from 'commander';
import { BASE_PATH } from '../api/base-path.ts';
import type { Exchange } from '../chain/exchange/exchange.ts';
import { createRaydiumExchange } from '../chain/exchange/raydium/raydium-exchange.ts';
import { errorTextWithCauses } from '../domain/error-text.ts';
import { isAllAsPromised, printReport } from './demo/report.ts';
import { type DemoPlatform, type DemoResult, runScenario } from './demo/scenario.ts';
import { aborted, runInForeground, say } from './foreground.ts';
import type { RunningStack } from './stack/index.ts';
import { loadKeys } from './stack/keys.ts';
import { DEFAULT_DATA_DIRECTORY, layoutOf } from './stack/layout.ts';
import { standInAdapter } from './stand-in/stand-in-adapter.ts';

interface DemoOptions {
  readonly exit?: true;
  readonly json?: boolean;
  readonly url?: string;
  readonly rpcUrl: string;
}

/** The stand-in's pools can be read only with its seed, which a local stack keeps. */
async function exchangeOf(stack: RunningStack): Promise<Exchange> {
  const connection = new Connection(stack.rpcUrl, 'confirmed');
  if (stack.exchange === 'raydium') return createRaydiumExchange({ connection, feeKeyMetadata: false });
  const { STAND_IN_SEED } = loadKeys(layoutOf(DEFAULT_DATA_DIRECTORY).keysFile, process.env);
  const seed = Uint8Array.from(Buffer.from(STAND_IN_SEED, 'base64'));
  return standInAdapter(seed).open(connection, await connection.getGenesisHash());
}

function report(results: readonly DemoResult[], platform: DemoPlatform, json: boolean): void {
  printReport(results, platform, json);
  if (!isAllAsPromised(results)) process.exitCode = 1;
}

async function demo({ exit, json = false, url, rpcUrl }: DemoOptions): Promise<void> {
  if (url !== undefined) return launchAt(url, rpcUrl, json);
  await runInForeground({
    keep: false,
    whileReady: async (stack, signal) => {
      report(await runScenario(stack, await exchangeOf(stack)), stack, json);
      if (exit !== true) await aborted(signal);
    },
  });
}

async function launchAt(url: string, rpcUrl: string, json: boolean): Promise<void> {
  const siteUrl = url.replace(/\/$/, '');
  const platform = { siteUrl, apiUrl: `${siteUrl}${BASE_PATH}`, rpcUrl, temporalUiUrl: null };
  report(await runScenario(platform, null), platform, json);
}

const program = new Command('npm run demo --')
  .description('Run the whole platform and launch two tokens on it as a creator would, with a wallet of its own.')
  .option('--exit', 'stop when the launch is done instead of running until Ctrl-C')
  .option(
    '--url <address>',
    'launch on a platform that runs already, such as http://127.0.0.1:8080 of the compose set-up',
  )
  .option('--rpc-url <address>', 'with --url: its local chain, which gives the wallet SOL', 'http://127.0.0.1:8899')
  .option('--json', 'print the launches and what the chain shows of them as one line of JSON')
  .action(demo);

try {
  await program.parseAsync();
} catch (error) {
  say(`npm run demo: ${errorTextWithCauses(error)}`);
  process.exitCode = 1;
}
