import { setTimeout as sleep } from 'node:timers/promises';
import { createTransferCheckedInstruction } from '@solana/spl-token';
import { Keypair, LAMPORTS_PER_SOL, PublicKey, type TransactionInstruction } from '@solana/web3.js';
import type { TokenInfo } from '../../chain/exchange/exchange.ts';
import { createTokenAccount, tokenAccountOf } from '../../chain/tokens/associated-account.ts';
import { readTokens } from '../../chain/tokens/token-info.ts';
import * as launches from '../../db/launch/launches.ts';
import * as poolCursors from '../../db/market/pool-cursors.ts';
import { createDeskClient } from '../../dev/demo/desk-client.ts';
import { fundWithSol } from '../../dev/demo/fund.ts';
import { trade } from '../../dev/demo/trade.ts';
import { SEED_PAIRS, type SeedPair } from '../../dev/seed/local-pairs.ts';
import { land } from '../../test/support/claim/claim-market.ts';
import { launchOnce } from '../calls/launches.ts';
import type { CallsGround } from '../calls/ground.ts';
import type { OwnStack } from '../own-stack.ts';
import { prepareLaunch } from '../launch-latency/prepare.ts';
import type { Rig } from '../launch-latency/rig.ts';

/** What coins are launched and traded with. */
export interface CoinGround {
  readonly own: OwnStack;
  readonly rig: Rig;
  readonly ground: CallsGround;
}

/** Whole quote tokens, each a dollar: an eighth of what lies in a pool that has just opened. */
const BOUGHT = '4000';

/** Wallets that tokens are sent to in one transaction. */
const GIVEN_AT_ONCE = 4;

/** How often it is asked whether all trades are final, ms. */
const SETTLING_EVERY_MS = 500;

/** A reward coin that one wallet bought a lot of. */
export interface BoughtCoin {
  readonly mint: string;
  readonly pair: SeedPair;
  readonly trader: Keypair;
}

/** Launches a reward coin that somebody bought a lot of and sent to so many wallets, each of which has an account for the quote token. */
export async function launchHeld(ground: CoinGround, holders: number): Promise<string> {
  const coin = await launchBought(ground);
  await give(ground.rig, coin, holders);
  await settled(ground, coin.mint);
  return coin.mint;
}

/** Launches a reward coin that somebody buys a lot of. */
export async function launchBought({ own, rig, ground }: CoinGround): Promise<BoughtCoin> {
  const pair = SEED_PAIRS[0]!;
  const wish = { ...rig.wish, quoteMint: pair.mint.toBase58(), mode: 'reward' as const };
  const launch = await prepareLaunch({ ...rig, wish });
  await launchOnce(rig, launch);
  const { db } = ground.shared;
  const record = await launches.byQuoteId(db, launch.quoteId);
  if (!record) throw new Error(`launch ${launch.quoteId} has no row`);
  const { mint } = record;
  const coin = { mint, pair, trader: Keypair.generate() };
  await fundWithSol(rig.rpc.connection, coin.trader.publicKey, LAMPORTS_PER_SOL);
  await buy({ own, rig }, coin, BOUGHT);
  return coin;
}

/** Buys for so many whole quote tokens, which the wallet is given before. */
export async function buy(
  { own, rig }: Pick<CoinGround, 'own' | 'rig'>,
  { mint, pair, trader }: BoughtCoin,
  amount: string,
): Promise<void> {
  const desk = createDeskClient(own.stack.siteUrl);
  await desk.fund(trader.publicKey.toBase58(), pair.mint.toBase58(), amount);
  await trade(rig.rpc.connection, desk, trader, { mint, side: 'buy', amount });
}

/** Sends nine tenths of what the trader has to so many wallets, in equal parts. */
async function give(rig: Rig, { pair, trader, mint }: BoughtCoin, holders: number): Promise<void> {
  const { connection } = rig.rpc;
  const [base, quote] = await readTokens(connection, [new PublicKey(mint), pair.mint]);
  if (!base || !quote) throw new Error(`${mint} is not on the chain`);
  const from = tokenAccountOf(base, trader.publicKey);
  const { value } = await connection.getTokenAccountBalance(from, 'confirmed');
  const raw = (BigInt(value.amount) * 9n) / 10n / BigInt(holders);
  const gifts = Array.from({ length: holders }, () =>
    giftTo(Keypair.generate().publicKey, { base, quote, trader, raw }),
  );
  for (let at = 0; at < gifts.length; at += GIVEN_AT_ONCE)
    await land({ connection }, trader, gifts.slice(at, at + GIVEN_AT_ONCE).flat());
}

interface Gift {
  readonly base: TokenInfo;
  readonly quote: TokenInfo;
  readonly trader: Keypair;
  readonly raw: bigint;
}

function giftTo(owner: PublicKey, { base, quote, trader, raw }: Gift): TransactionInstruction[] {
  const [from, to] = [tokenAccountOf(base, trader.publicKey), tokenAccountOf(base, owner)];
  return [
    createTokenAccount(trader.publicKey, base, owner),
    createTokenAccount(trader.publicKey, quote, owner),
    createTransferCheckedInstruction(from, base.mint, to, trader.publicKey, raw, base.decimals, [], base.tokenProgram),
  ];
}

/** Waits until the index of the market has all trades of a token as final. */
export async function settled({ rig: { rpc }, ground }: CoinGround, mint: string): Promise<void> {
  const { db } = ground.shared;
  const { slot } = await rpc.head('confirmed');
  for (;;) {
    const cursor = await poolCursors.byMint(db, mint);
    if (cursor && (await hasSeen(cursor, rpc, slot))) return;
    await sleep(SETTLING_EVERY_MS);
  }
}

async function hasSeen(cursor: poolCursors.PoolCursor, rpc: Rig['rpc'], slot: number): Promise<boolean> {
  const final = (await rpc.head('finalized')).slot;
  return final > slot && cursor.seen !== null && cursor.changedSlot === null;
}
