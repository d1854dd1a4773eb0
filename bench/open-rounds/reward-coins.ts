import { Keypair, LAMPORTS_PER_SOL } from '@solana/web3.js';
import { inParallel } from '../../chain/rpc/in-parallel.ts';
import type { Db } from '../../db/connect.ts';
import * as launches from '../../db/launch/launches.ts';
import { createDeskClient } from '../../dev/demo/desk-client.ts';
import { fundWithSol } from '../../dev/demo/fund.ts';
import { trade } from '../../dev/demo/trade.ts';
import { SEED_PAIRS } from '../../dev/seed/local-pairs.ts';
import { launchOnce } from '../calls/launches.ts';
import { prepareLaunch } from '../launch-latency/prepare.ts';
import type { Rig } from '../launch-latency/rig.ts';
import type { OwnStack } from '../own-stack.ts';

export interface OpenRoundsFixture {
  readonly own: OwnStack;
  readonly rig: Rig;
  readonly db: Db;
}

const AT_ONCE = 24;

/** At one dollar: fees for a round. */
const BOUGHT = 4_000;

const [PAIR] = SEED_PAIRS;

export async function launchCoins({ rig, db }: OpenRoundsFixture, count: number): Promise<string[]> {
  const wish = { ...rig.wish, quoteMint: PAIR!.mint.toBase58(), mode: 'reward' as const };
  let done = 0;
  return inParallel(AT_ONCE, [...Array(count).keys()], async () => {
    const launch = await prepareLaunch({ ...rig, wish });
    await launchOnce(rig, launch);
    const record = await launches.byQuoteId(db, launch.quoteId);
    if (!record) throw new Error(`launch ${launch.quoteId} has no row`);
    if (++done % 50 === 0) process.stderr.write(`${done} of ${count} coins are launched\n`);
    return record.mint;
  });
}

export async function tradeEach(ground: OpenRoundsFixture, mints: readonly string[]): Promise<void> {
  const { connection } = ground.rig.rpc;
  const desk = createDeskClient(ground.own.stack.siteUrl);
  await inParallel(AT_ONCE, mints, async (mint) => {
    const trader = await openTrader(ground, BOUGHT);
    await trade(connection, desk, trader, { mint, side: 'buy', amount: String(BOUGHT) });
  });
  process.stderr.write(`${mints.length} coins are traded\n`);
}

export async function openTrader({ own, rig }: OpenRoundsFixture, quote: number): Promise<Keypair> {
  const trader = Keypair.generate();
  await fundWithSol(rig.rpc.connection, trader.publicKey, LAMPORTS_PER_SOL);
  const desk = createDeskClient(own.stack.siteUrl);
  await desk.fund(trader.publicKey.toBase58(), PAIR!.mint.toBase58(), String(quote));
  return trader;
}
