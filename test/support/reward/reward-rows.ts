import { randomUUID } from 'node:crypto';
import { offsetOf } from '../../../activities/reward/snapshots.ts';
import type { Db } from '../../../db/connect.ts';
import type { LeftOut } from '../../../domain/reward/left-out.ts';
import * as rewardLeftOut from '../../../db/reward/reward-left-out.ts';
import * as rewardPayouts from '../../../db/reward/reward-payouts.ts';
import * as rewardRounds from '../../../db/reward/reward-rounds.ts';
import * as rewardSnapshots from '../../../db/reward/reward-snapshots.ts';
import * as rewardTokens from '../../../db/reward/reward-tokens.ts';
import * as rewardTransactions from '../../../db/reward/reward-transactions.ts';
import { address, signature } from '../launch/launch-rows.ts';

/** A transaction that paid holders; raw quote units and USD. */
export interface PaidFacts {
  readonly roundId?: string;
  readonly n?: number;
  readonly paidRaw?: bigint;
  readonly valueUsd?: string | null;
  readonly recipients?: number;
  readonly landedAt?: Date;
  readonly signature?: string;
}

/** Books a payout of a reward token, with its round; answers its signature. */
export async function insertDistribution(db: Db, mint: string, facts: PaidFacts = {}): Promise<string> {
  const { roundId = randomUUID(), n = 0, paidRaw = 5_000_000n, valueUsd = '5', recipients = 2 } = facts;
  const landedAt = facts.landedAt ?? new Date(Date.UTC(2026, 10, 21, 14));
  const paid = { signature: facts.signature ?? signature(), slot: 5_000n, landedAt, paidRaw, recipients, valueUsd };
  await rewardTokens.open(db, mint, 'seed-1', address());
  await rewardTransactions.adopt(db, {
    roundId,
    n,
    mint,
    number: 1 + (await rewardRounds.lastNumber(db, mint)),
    kind: 'payout',
    movement: { ...paid, baseRaw: 0n, quoteRaw: -paidRaw },
  });
  return paid.signature;
}

/** Books what a round collected: quote tokens that came into the pot. */
export async function insertHarvest(
  db: Db,
  mint: string,
  { quoteRaw, landedAt }: { readonly quoteRaw: bigint; readonly landedAt: Date },
): Promise<void> {
  await rewardTokens.open(db, mint, 'seed-1', address());
  const moved = { baseRaw: 0n, quoteRaw, paidRaw: 0n, recipients: 0, valueUsd: null };
  await rewardTransactions.adopt(db, {
    roundId: randomUUID(),
    n: 0,
    mint,
    number: 1 + (await rewardRounds.lastNumber(db, mint)),
    kind: 'harvest',
    movement: { ...moved, signature: signature(), slot: 4_000n, landedAt },
  });
}

/** Books a round that paid these wallets, as one whose plan was carried out. */
export async function insertPaidRound(db: Db, mint: string, owners: readonly string[]): Promise<void> {
  const roundId = randomUUID();
  await insertDistribution(db, mint, { roundId, recipients: owners.length });
  const payout = { roundId, n: 0, balanceRaw: 1n, amountRaw: 1n, rentRaw: 0n };
  await db
    .insertInto('rewardPayouts')
    .values(owners.map((owner) => ({ ...payout, owner })))
    .execute();
  await rewardPayouts.mark(db, { roundId, n: 0 }, owners);
}

/** What a round observed and divided, and whom it left out. */
export interface RecordFacts {
  readonly blockhashes: readonly string[];
  readonly leftOut: readonly LeftOut[];
  readonly belowMinimum: number;
}

/** Adds to a round what its observations and its plan write down. */
export async function insertRecord(db: Db, roundId: string, { blockhashes, ...leftOut }: RecordFacts): Promise<void> {
  const division = { budgetRaw: 5_000_004n, minimumRaw: 2_000_000_000_000n, leastPayoutRaw: 50_000n, holders: 3 };
  const prices = { averagePrice: '0.00001', quoteUsd: '1' };
  await db
    .updateTable('rewardRounds')
    .set({ ...division, ...prices })
    .where('id', '=', roundId)
    .execute();
  for (const [n, blockhash] of blockhashes.entries()) {
    const seenSlot = 5_000n + BigInt(n) * 2_000n;
    const slot = seenSlot + BigInt(offsetOf(roundId, n, blockhash, 2_000));
    await rewardSnapshots.draw(db, roundId, { n, seenSlot, blockhash, slot, partSlots: 2_000 });
    await rewardSnapshots.keep(db, roundId, n, { readSlot: slot + 1n, balances: new Map(), withheld: null });
  }
  await rewardLeftOut.record(db, roundId, { owners: leftOut.leftOut, belowMinimum: leftOut.belowMinimum });
}
