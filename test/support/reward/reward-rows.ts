import { createHash, randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { PackedDocument } from '../../../db/proof/documents.ts';
import type { Db } from '../../../db/connect.ts';
import type { LeftOut } from '../../../domain/reward/left-out.ts';
import * as rewardLeftOut from '../../../db/reward/reward-left-out.ts';
import * as rewardPayouts from '../../../db/reward/reward-payouts.ts';
import * as rewardRounds from '../../../db/reward/reward-rounds.ts';
import * as rewardSnapshots from '../../../db/reward/reward-snapshots.ts';
import * as rewardTokens from '../../../db/reward/reward-tokens.ts';
import * as rewardTransactions from '../../../db/reward/reward-transactions.ts';
import { address, signature } from '../launch/launch-rows.ts';
import { spendableUsd } from '../trading/spendable.ts';

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

/** Books what a round collected: quote tokens that came into the pot, and tokens that are not sold yet. */
export async function insertHarvest(
  db: Db,
  mint: string,
  {
    quoteRaw,
    baseRaw = 0n,
    landedAt,
  }: { readonly quoteRaw: bigint; readonly baseRaw?: bigint; readonly landedAt: Date },
): Promise<void> {
  await rewardTokens.open(db, mint, 'seed-1', address());
  const moved = { baseRaw, quoteRaw, paidRaw: 0n, recipients: 0, valueUsd: null };
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
export async function insertPaidRound(
  db: Db,
  mint: string,
  owners: readonly string[],
  { amountRaw = 1n, ...facts }: PaidFacts & { readonly amountRaw?: bigint } = {},
): Promise<void> {
  const roundId = facts.roundId ?? randomUUID();
  await insertDistribution(db, mint, { ...facts, roundId, recipients: owners.length });
  const payout = { roundId, n: 0, balanceRaw: 1n, amountRaw, rentRaw: 0n };
  await db
    .insertInto('rewardPayouts')
    .values(owners.map((owner) => ({ ...payout, owner })))
    .execute();
  await rewardPayouts.mark(db, { roundId, n: 0 }, owners);
}

/** A document of no rows, with a root of its own. */
export function sampleDocument(): PackedDocument {
  const text = `document ${randomUUID()}`;
  const root = createHash('sha256').update(text).digest('hex');
  return { root, rowCount: 0, byteCount: BigInt(text.length), parts: [gzipSync(text)] };
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
  const prices = { averagePrice: '0.00001', quoteUsd: spendableUsd('1') };
  await db
    .updateTable('rewardRounds')
    .set({ ...division, ...prices, windowSlot: 6_000n, windowSlots: 3_000 })
    .where('id', '=', roundId)
    .execute();
  const snapshots = blockhashes.map((blockhash, n) => {
    const slot = 6_000n + BigInt(n) * 1_000n;
    return { n, slot, blockhash, readSlot: slot + 33n, answerSlots: [slot + 33n, slot + 34n], quorum: 2 };
  });
  await rewardSnapshots.replace(db, roundId, snapshots);
  await rewardLeftOut.record(db, roundId, { owners: leftOut.leftOut, belowMinimum: leftOut.belowMinimum });
}
