import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Connection, Keypair, LAMPORTS_PER_SOL } from '@solana/web3.js';
import { Command } from 'commander';
import { createExchange } from '../chain/exchange/create-exchange.ts';
import { createApiClient } from './demo/api-client.ts';
import { fundWithSol } from './demo/fund.ts';
import { launchToken } from './demo/launch-token.ts';
import { readBack } from './demo/read-back.ts';
import { printReport, type Report } from './demo/report.ts';
import { aborted, runInForeground, say } from './foreground.ts';
import { errorMessage } from './stack/errors.ts';
import type { RunningStack } from './stack/index.ts';
import { loadKeys } from './stack/keys.ts';
import { DEFAULT_DATA_DIRECTORY, layoutOf } from './stack/layout.ts';

type DemoOptions = { readonly exit?: true; readonly json?: true };

/** Acts as a creator who has nothing but a wallet, a logo and the platform's public address. */
async function launchAsCreator(stack: RunningStack): Promise<Report> {
  const connection = new Connection(stack.rpcUrl, { commitment: 'confirmed', wsEndpoint: stack.wsUrl });
  const creator = Keypair.generate();
  await fundWithSol(connection, creator.publicKey, LAMPORTS_PER_SOL);
  const balanceBefore = await connection.getBalance(creator.publicKey);
  const api = createApiClient(stack.apiUrl);
  const [pair] = await api.pairs();
  if (!pair) throw new Error('the platform lists no launchable pair');
  say(`Launching Driftwood (DRIFT) against ${pair.symbol} as ${creator.publicKey.toBase58()} …`);
  const launch = await launchToken(api, creator, {
    ...{ creatorWallet: creator.publicKey.toBase58(), quoteMint: pair.mint, name: 'Driftwood', symbol: 'DRIFT' },
    logo: await logoDataUrl('driftwood.png', 'image/png'),
  });
  const findings = await readBack(connection, await exchangeOf(stack, connection), {
    ...{ launch, balanceBefore, creator: creator.publicKey },
  });
  return { launch, findings };
}

async function logoDataUrl(file: string, type: string): Promise<string> {
  const bytes = await readFile(join(import.meta.dirname, 'demo/assets', file));
  return `data:${type};base64,${bytes.toString('base64')}`;
}

/** The stand-in's pools can be read only with its seed, which a local stack keeps beside its other keys. */
async function exchangeOf(stack: RunningStack, connection: Connection) {
  const { LOCAL_EXCHANGE_SEED } = loadKeys(layoutOf(DEFAULT_DATA_DIRECTORY).keysFile, process.env);
  const seed = Uint8Array.from(Buffer.from(LOCAL_EXCHANGE_SEED, 'base64'));
  const choice = stack.exchange === 'local' ? ({ kind: 'local', seed } as const) : ({ kind: 'raydium' } as const);
  return createExchange(choice, connection, await connection.getGenesisHash());
}

async function demo({ exit, json }: DemoOptions): Promise<void> {
  await runInForeground({
    keep: false,
    whileReady: async (stack, signal) => {
      const report = await launchAsCreator(stack);
      printReport(report, stack, json === true);
      if (report.findings.some(({ ok }) => !ok)) process.exitCode = 1;
      if (exit !== true) await aborted(signal);
    },
  });
}

const program = new Command('npm run demo --')
  .description('Run the whole platform and launch a token on it as a creator would, with a wallet of its own.')
  .option('--exit', 'stop when the launch is done instead of running until Ctrl-C')
  .option('--json', 'print the launch and what the chain shows of it as one line of JSON')
  .action(demo);

try {
  await program.parseAsync();
} catch (error) {
  say(`npm run demo: ${errorMessage(error)}`);
  process.exitCode = 1;
}
