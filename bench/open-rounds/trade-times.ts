import bs58 from 'bs58';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Keypair, VersionedTransaction } from '@solana/web3.js';
import { createDeskClient } from '../../dev/demo/desk-client.ts';
import { type OpenRoundsGround, openTrader } from './reward-coins.ts';

/** What trades waited, in ms: from when each was sent until the row was there that the API shows. */
export interface TradeTimes {
  readonly ms: readonly number[];
}

/** Coins that are traded meanwhile, each by a wallet of its own. */
const TRADED = 8;

/** A trade every so many ms. */
const EVERY_MS = 500;

/** How often it is asked whether a trade's row is there, in ms. */
const LOOK_EVERY_MS = 10;

const GIVE_UP_MS = 60_000;

/** Trades some of these coins in turn for so many seconds. */
export async function measureTrades(
  ground: OpenRoundsGround,
  mints: readonly string[],
  seconds: number,
): Promise<TradeTimes> {
  const coins = mints.slice(0, TRADED);
  const traders = await Promise.all(coins.map(() => openTrader(ground, 4 * seconds)));
  const waits: Promise<number>[] = [];
  for (const until = performance.now() + seconds * 1_000; performance.now() < until;) {
    const turn = waits.length % coins.length;
    waits.push(timeOfTrade(ground, coins[turn]!, traders[turn]!));
    await sleep(EVERY_MS);
  }
  return { ms: await Promise.all(waits) };
}

/** Buys for a whole quote token; from when that is sent until the row is there that the API shows, in ms. */
export async function timeOfTrade({ own, rig, db }: OpenRoundsGround, mint: string, trader: Keypair): Promise<number> {
  const desk = createDeskClient(own.stack.siteUrl);
  const swap = await desk.swap(trader.publicKey.toBase58(), mint, 'buy', '1');
  const transaction = VersionedTransaction.deserialize(Buffer.from(swap.transaction, 'base64'));
  transaction.sign([trader]);
  const begun = performance.now();
  const signature = await rig.rpc.connection.sendTransaction(transaction, { skipPreflight: true });
  const row = db
    .selectFrom('marketSwaps')
    .select('slot')
    .where('signature', '=', Buffer.from(bs58.decode(signature)));
  while (!(await row.executeTakeFirst())) {
    if (performance.now() - begun > GIVE_UP_MS) throw new Error(await whyNotStored(rig, mint, signature));
    await sleep(LOOK_EVERY_MS);
  }
  return performance.now() - begun;
}

/** A swap fails where another one, such as the sale of a round, came between its quote and itself. */
async function whyNotStored({ rpc }: OpenRoundsGround['rig'], mint: string, signature: string): Promise<string> {
  const [status] = await rpc.signatureStatuses([signature]);
  const reason = status?.err ? `failed on the chain: ${JSON.stringify(status.err)}` : 'was not stored';
  return `swap ${signature} of ${mint} ${reason}`;
}
