import bs58 from 'bs58';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Keypair, VersionedTransaction } from '@solana/web3.js';
import { createDeskClient } from '../../dev/demo/desk-client.ts';
import { type OpenRoundsFixture, openTrader } from './reward-coins.ts';

export interface TradeTimes {
  readonly ms: readonly number[];
}

const TRADED = 8;

const EVERY_MS = 500;

const LOOK_EVERY_MS = 10;

const GIVE_UP_MS = 60_000;

export async function measureTrades(
  ground: OpenRoundsFixture,
  mints: readonly string[],
  seconds: number,
): Promise<TradeTimes> {
  const coins = mints.slice(0, TRADED);
  const traders = await Promise.all(coins.map(() => openTrader(ground, 4 * seconds)));
  const waits: Promise<number>[] = [];
  const measured = new AbortController();
  const stored = pollStoredSwaps(ground, measured.signal);
  try {
    for (const until = performance.now() + seconds * 1_000; performance.now() < until;) {
      const turn = waits.length % coins.length;
      waits.push(timeWith(ground, stored, coins[turn]!, traders[turn]!));
      await sleep(EVERY_MS);
    }
    return { ms: await Promise.all(waits) };
  } finally {
    measured.abort();
  }
}

export async function timeOfTrade(ground: OpenRoundsFixture, mint: string, trader: Keypair): Promise<number> {
  const measured = new AbortController();
  try {
    return await timeWith(ground, pollStoredSwaps(ground, measured.signal), mint, trader);
  } finally {
    measured.abort();
  }
}

async function timeWith(
  { own, rig }: OpenRoundsFixture,
  stored: StoredSwaps,
  mint: string,
  trader: Keypair,
): Promise<number> {
  const desk = createDeskClient(own.stack.siteUrl);
  const swap = await desk.swap(trader.publicKey.toBase58(), mint, 'buy', '1');
  const transaction = VersionedTransaction.deserialize(Buffer.from(swap.transaction, 'base64'));
  transaction.sign([trader]);
  const begun = performance.now();
  const signature = await rig.rpc.connection.sendTransaction(transaction, { skipPreflight: true });
  if (!(await stored.has(signature))) throw new Error(await whyNotStored(rig, mint, signature));
  return performance.now() - begun;
}

interface StoredSwaps {
  /** False if the swap has no row after `GIVE_UP_MS`. */
  has(signature: string): Promise<boolean>;
}

/** One statement polls all open trades: what they ask must not grow with what they wait. */
function pollStoredSwaps({ db }: OpenRoundsFixture, signal: AbortSignal): StoredSwaps {
  const open = new Map<string, { readonly until: number; readonly end: (isStored: boolean) => void }>();
  const poll = async () => {
    const signatures = [...open.keys()].map((signature) => Buffer.from(bs58.decode(signature)));
    const rows = db.selectFrom('marketSwaps').select('signature').where('signature', 'in', signatures);
    const found = new Set((await rows.execute()).map(({ signature }) => bs58.encode(signature)));
    for (const [signature, { until, end }] of open) {
      if (!found.has(signature) && performance.now() < until) continue;
      open.delete(signature);
      end(found.has(signature));
    }
  };
  const run = async () => {
    while (!signal.aborted) {
      if (open.size > 0) await poll();
      await sleep(LOOK_EVERY_MS);
    }
  };
  const running = run();
  return {
    async has(signature) {
      const { promise, resolve } = Promise.withResolvers<boolean>();
      open.set(signature, { until: performance.now() + GIVE_UP_MS, end: resolve });
      await Promise.race([promise, running]);
      return promise;
    },
  };
}

/** Another swap may land between quote and swap. */
async function whyNotStored({ rpc }: OpenRoundsFixture['rig'], mint: string, signature: string): Promise<string> {
  const [status] = await rpc.signatureStatuses([signature]);
  const reason = status?.err ? `failed on the chain: ${JSON.stringify(status.err)}` : 'was not stored';
  return `swap ${signature} of ${mint} ${reason}`;
}
