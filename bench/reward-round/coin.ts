import { createTransferCheckedInstruction } from '@solana/spl-token';
import { Keypair, LAMPORTS_PER_SOL, PublicKey, type TransactionInstruction } from '@solana/web3.js';
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
import type { CallsFixture } from '../calls/fixture.ts';
import type { OwnStack } from '../own-stack.ts';
import { prepareLaunch } from '../launch-latency/prepare.ts';
import type { Rig } from '../launch-latency/rig.ts';
import { until } from '../until.ts';
import type { TokenInfo } from '../../chain/tokens/token.ts';

export interface CoinFixture {
  readonly own: OwnStack;
  readonly rig: Rig;
  readonly ground: CallsFixture;
}

/** An eighth of a new pool. */
const BOUGHT = '4000';

const GIVEN_AT_ONCE = 4;

export interface BoughtCoin {
  readonly mint: string;
  readonly pair: SeedPair;
  readonly trader: Keypair;
}

/** Launches a coin and gives it to so many holders. Its trades are not final yet: `settled` waits for that. */
export async function launchHeld(ground: CoinFixture, holders: number): Promise<string> {
  const coin = await launchBought(ground);
  await give(ground.rig, coin, holders);
  return coin.mint;
}

export async function launchBought({ own, rig, ground }: CoinFixture): Promise<BoughtCoin> {
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

export async function buy(
  { own, rig }: Pick<CoinFixture, 'own' | 'rig'>,
  { mint, pair, trader }: BoughtCoin,
  amount: string,
): Promise<void> {
  const desk = createDeskClient(own.stack.siteUrl);
  await desk.fund(trader.publicKey.toBase58(), pair.mint.toBase58(), amount);
  await trade(rig.rpc.connection, desk, trader, { mint, side: 'buy', amount });
}

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

export async function settled({ rig: { rpc }, ground }: CoinFixture, mint: string): Promise<void> {
  const { db } = ground.shared;
  const { slot } = await rpc.head('confirmed');
  await until(`final trades of ${mint} in the index`, async () => {
    const cursor = await poolCursors.byMint(db, mint);
    return (cursor && (await hasSeen(cursor, rpc, slot))) || null;
  });
}

async function hasSeen(cursor: poolCursors.PoolCursor, rpc: Rig['rpc'], slot: number): Promise<boolean> {
  const final = (await rpc.head('finalized')).slot;
  return final > slot && cursor.seen !== null && cursor.changedSlot === null;
}
