import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import * as rewardRounds from '../../db/reward/reward-rounds.ts';
import * as rewardTransactions from '../../db/reward/reward-transactions.ts';
import { rewardFacts } from '../support/launch/launched-token.ts';
import { ending } from '../support/money/due.ts';
import { useMarketApp } from '../support/market/market-app.ts';

const market = useMarketApp();

it('the next payouts of a round are those that are planned, in order, and the rest is a number', async () => {
  const { mint } = await market.launch(rewardFacts(100));
  const db = market.db();
  const roundId = randomUUID();
  await rewardRounds.plan(db, { id: roundId, mint, number: 1, openedSlot: 7n, window: { slot: 9, slots: 9 } });
  const rows = [5, 3, 2, 4].map((n) => ({ roundId, mint, n, kind: 'payout' as const }));
  await db
    .insertInto('rewardTransactions')
    .values([{ roundId, mint, n: 1, kind: 'sale' as const }, ...rows])
    .execute();
  expect(await rewardTransactions.plannedPayouts(db, roundId, 2)).toEqual({ next: [2, 3], planned: 4 });
  const abandon = (n: number) =>
    ending(db, (tx) => rewardTransactions.lockDue(tx, { roundId, n }), rewardTransactions.abandon);
  await abandon(2);
  expect(await rewardTransactions.plannedPayouts(db, roundId, 2)).toEqual({ next: [3, 4], planned: 3 });
  for (const n of [3, 4, 5]) await abandon(n);
  expect(await rewardTransactions.plannedPayouts(db, roundId, 2)).toEqual({ next: [], planned: 0 });
  expect(await rewardTransactions.byKey(db, { roundId, n: 1 })).toMatchObject({ kind: 'sale', state: 'planned' });
  expect(await rewardTransactions.byKey(db, { roundId, n: 6 })).toBeUndefined();
});
