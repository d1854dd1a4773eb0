import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Connection, Keypair, LAMPORTS_PER_SOL } from '@solana/web3.js';
import type { Exchange } from '../../chain/exchange/exchange.ts';
import { type Answer, type Api, createApi } from '../../client/index.ts';
import { say } from '../foreground.ts';
import type { StackFile } from '../stack/stack-file.ts';
import { createDeskClient, type DeskClient } from './desk-client.ts';
import { fundWithSol } from './fund.ts';
import { type DemoLaunch, type DemoWish, launchToken } from './launch-token.ts';
import { type Finding, readBack } from './read-back.ts';
import { type DemoTrade, trade } from './trade.ts';

export type DemoPlatform = Pick<StackFile, 'siteUrl' | 'apiUrl' | 'rpcUrl' | 'temporalUiUrl'>;

export interface DemoResult {
  readonly launch: DemoLaunch;
  readonly findings: readonly Finding[];
  readonly trades: readonly DemoTrade[];
}

interface Actor {
  readonly connection: Connection;
  readonly api: Api;
  readonly desk: DeskClient;
  /** Null: nothing is traded. */
  readonly exchange: Exchange | null;
  readonly creator: Keypair;
}

type DemoPair = Answer<'GET /pairs'>['pairs'][number];
type Idea = Omit<DemoWish, 'quoteMint' | 'logo'> & { readonly logo: [file: string, type: string] };

const IDEAS: readonly Idea[] = [
  { name: 'Driftwood', symbol: 'DRIFT', mode: 'standard', devBuyPercent: 1, logo: ['driftwood.png', 'image/png'] },
  { name: 'Lantern', symbol: 'LAMP', mode: 'reward', devBuySol: 0.5, logo: ['lantern.webp', 'image/webp'] },
];

export async function runScenario(platform: DemoPlatform, exchange: Exchange | null): Promise<DemoResult[]> {
  const connection = new Connection(platform.rpcUrl, 'confirmed');
  const actor: Actor = {
    connection,
    exchange,
    creator: Keypair.generate(),
    api: createApi({ url: platform.apiUrl }),
    desk: createDeskClient(platform.siteUrl),
  };
  await fundWithSol(connection, actor.creator.publicKey, 5 * LAMPORTS_PER_SOL);
  const { pairs } = await actor.api.ask('GET /pairs', { query: { launchable: true } });
  const results: DemoResult[] = [];
  for (const [index, idea] of IDEAS.entries()) {
    const pair = pairs[index % pairs.length];
    if (!pair) throw new Error('the platform lists no launchable pair');
    results.push(await launchAndTrade(actor, idea, pair));
  }
  return results;
}

async function launchAndTrade(actor: Actor, idea: Idea, pair: DemoPair): Promise<DemoResult> {
  const { connection, creator } = actor;
  const wallet = creator.publicKey.toBase58();
  const logo = await logoDataUrl(...idea.logo);
  const wish: DemoWish = { ...idea, quoteMint: pair.mint, logo };
  say(`Launching ${idea.name} (${idea.symbol}), a ${idea.mode} token, against ${pair.symbol} as ${wallet} …`);
  const balanceBefore = await connection.getBalance(creator.publicKey);
  const launch = await launchToken(actor.api, creator, wish);
  const findings = await readBack(connection, actor.exchange, {
    launch,
    wish,
    balanceBefore,
    creator: creator.publicKey,
  });
  if (actor.exchange === null) return { launch, findings, trades: [] };
  say(`Trading ${idea.symbol} …`);
  return { launch, findings, trades: await tradeALittle(actor, launch, pair) };
}

async function tradeALittle({ connection, desk }: Actor, { mint }: DemoLaunch, pair: DemoPair): Promise<DemoTrade[]> {
  const trader = Keypair.generate();
  await fundWithSol(connection, trader.publicKey, LAMPORTS_PER_SOL);
  const quote = pair.decimals >= 8 ? '0.01' : '100';
  await desk.fund(trader.publicKey.toBase58(), pair.mint, quote);
  const bought = await trade(connection, desk, trader, { mint, side: 'buy', amount: quote });
  const tenth = bought.received.replace(/\..*$/, '').slice(0, -1) || '1';
  return [bought, await trade(connection, desk, trader, { mint, side: 'sell', amount: tenth })];
}

async function logoDataUrl(file: string, type: string): Promise<string> {
  const bytes = await readFile(join(import.meta.dirname, 'assets', file));
  return `data:${type};base64,${bytes.toString('base64')}`;
}
