import { PublicKey } from '@solana/web3.js';
import { tokenAccountOf } from '../../chain/tokens/associated-account.ts';
import { readTokens } from '../../chain/tokens/token-info.ts';
import * as rewardPayouts from '../../db/reward/reward-payouts.ts';
import type { RewardRound } from '../../db/reward/reward-rounds.ts';
import * as rewardTransactions from '../../db/reward/reward-transactions.ts';
import { batchesOf } from '../../domain/batches.ts';
import type { BoughtCoin, CoinFixture } from '../reward-round/coin.ts';
import { AMOUNT_AT, type HeldAccounts } from './holders.ts';

export interface Judgement {
  readonly payoutTransactions: number;
  readonly paid: number;
  /** Chain balance equals the ledger (`exact`) or not. */
  readonly exact: number;
  readonly wrong: number;
  readonly paidRaw: string;
  readonly receivedRaw: string;
  readonly potRaw: readonly [string, string];
}

const READ_AT_ONCE = 100;

export async function judge(
  { rig, ground }: CoinFixture,
  { mint, pair, trader }: BoughtCoin,
  round: RewardRound,
  held: HeldAccounts,
): Promise<Judgement> {
  const { db } = ground.shared;
  const { connection } = rig.rpc;
  const payouts = (await rewardPayouts.ofRound(db, round.id)).filter(({ kind }) => kind === 'holder');
  const paid = payouts.filter(({ state }) => state === 'paid');
  const booked = new Map(paid.map(({ owner, amountRaw }) => [owner, amountRaw]));
  const transactions = await rewardTransactions.ofRound(db, round.id, 'payout');
  const done = transactions.filter(({ state }) => state === 'done');
  if (new Set(done.map(({ signature }) => signature)).size !== done.length) throw new Error('two share a signature');
  let [exact, receivedRaw] = [0, booked.get(trader.publicKey.toBase58()) ?? 0n];
  for (const page of batchesOf([...held], READ_AT_ONCE)) {
    const addresses = page.map(([, account]) => new PublicKey(account));
    const infos = await connection.getMultipleAccountsInfo(addresses, 'finalized');
    for (const [index, [owner]] of page.entries()) {
      const raw = infos[index]?.data.readBigUInt64LE(AMOUNT_AT) ?? 0n;
      receivedRaw += raw;
      if (raw > 0n && raw === booked.get(owner)) exact += 1;
    }
  }
  const [quote] = await readTokens(connection, [pair.mint]);
  const { pot } = await db.selectFrom('rewardTokens').select('pot').where('mint', '=', mint).executeTakeFirstOrThrow();
  const inPot = await connection.getTokenAccountBalance(tokenAccountOf(quote!, new PublicKey(pot)), 'finalized');
  const { quoteRaw } = await rewardTransactions.funds(db, mint);
  return {
    payoutTransactions: done.length,
    paid: paid.length,
    exact,
    wrong: held.size - exact,
    paidRaw: String(done.reduce((sum, { paidRaw }) => sum + paidRaw, 0n)),
    receivedRaw: String(receivedRaw),
    potRaw: [String(quoteRaw), inPot.value.amount],
  };
}
