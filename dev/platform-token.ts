import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Connection, Keypair, LAMPORTS_PER_SOL } from '@solana/web3.js';
import { type Api, ApiError, createApi } from '../client/index.ts';
import { createDeskClient } from './demo/desk-client.ts';
import { fundWithSol } from './demo/fund.ts';
import { launchToken } from './demo/launch-token.ts';
import { trade } from './demo/trade.ts';
import type { StackFile } from './stack/stack-file.ts';

/** Revenue in it buys the platform token back. */
const QUOTE_SYMBOL = 'USDL';

/** First trade, for the first fee sweep. */
const FIRST_BUY = '1000';

/**
 * Launches it on a fresh stack and trades once: fee sweeps, buybacks and burns have data. Does nothing if it exists.
 *
 * @throws if another token was created
 */
export async function launchPlatformToken(stack: StackFile, mint: string): Promise<void> {
  const api = createApi({ url: stack.apiUrl });
  if (await isListed(api, mint)) return;
  const connection = new Connection(stack.rpcUrl, { commitment: 'confirmed', wsEndpoint: stack.wsUrl });
  const creator = Keypair.generate();
  await fundWithSol(connection, creator.publicKey, 2 * LAMPORTS_PER_SOL);
  const { pairs } = await api.ask('GET /pairs', { query: { launchable: true } });
  const pair = pairs.find(({ symbol }) => symbol === QUOTE_SYMBOL);
  if (!pair) throw new Error(`the local stack lists no launchable pair ${QUOTE_SYMBOL}`);
  const logo = await readFile(join(import.meta.dirname, 'demo/assets/driftwood.png'), 'base64');
  const token = { name: 'Slipway', symbol: 'SLIP', quoteMint: pair.mint, logo: `data:image/png;base64,${logo}` };
  const launched = await launchToken(api, creator, token);
  if (launched.mint !== mint) throw new Error(`the platform token is to be ${mint}, ${launched.mint} was launched`);
  const desk = createDeskClient(stack.siteUrl);
  await desk.fund(creator.publicKey.toBase58(), pair.mint, FIRST_BUY);
  await trade(connection, desk, creator, { mint, side: 'buy', amount: FIRST_BUY });
}

async function isListed(api: Api, mint: string): Promise<boolean> {
  try {
    await api.ask('GET /tokens/{mint}', { path: { mint } });
    return true;
  } catch (error) {
    if (error instanceof ApiError && error.code === 'not_found') return false;
    throw error;
  }
}
