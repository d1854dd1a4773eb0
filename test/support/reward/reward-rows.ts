import { randomUUID } from 'node:crypto';
import type { Db } from '../../../db/connect.ts';
import * as rewardRounds from '../../../db/reward/reward-rounds.ts';
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
}

/** Books a payout of a reward token, with its round; answers its signature. */
export async function insertDistribution(db: Db, mint: string, facts: PaidFacts = {}): Promise<string> {
  const { roundId = randomUUID(), n = 0, paidRaw = 5_000_000n, valueUsd = '5', recipients = 2 } = facts;
  const landedAt = facts.landedAt ?? new Date(Date.UTC(2026, 10, 21, 14));
  const paid = { signature: signature(), slot: 5_000n, landedAt, paidRaw, recipients, valueUsd };
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
