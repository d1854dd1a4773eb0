import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { packDocument } from '../../db/proof/pack-document.ts';
import { transaction } from '../../db/connect.ts';
import * as rewardPayouts from '../../db/reward/reward-payouts.ts';
import * as rewardRounds from '../../db/reward/reward-rounds.ts';
import * as rewardTransactions from '../../db/reward/reward-transactions.ts';
import { documentLines } from '../../domain/proof/lines.ts';
import { address, signature } from '../support/launch/launch-rows.ts';
import { rewardFacts } from '../support/launch/launched-token.ts';
import { useMarketApp } from '../support/market/market-app.ts';
import { errorOf } from '../support/api/errors-of.ts';
import { spendableUsd } from '../support/trading/spendable.ts';

const market = useMarketApp();

const TEXT = [...documentLines({ kind: 'test', name: 'Łódź' }, { count: 1, rows: [['owner', '1:5:0']] })];

/** A planned round with its document, and a payout behind its seal. */
async function sealing() {
  const { mint } = await market.launch(rewardFacts(100));
  const [db, roundId, document] = [market.db(), randomUUID(), await packDocument(TEXT)];
  const number = 1 + (await rewardRounds.lastNumber(db, mint));
  await rewardRounds.plan(db, { id: roundId, mint, number, openedSlot: 7n, window: { slot: 9, slots: 9 } });
  await rewardRounds.planCollection(db, roundId, { sellAt: new Date(), transactions: [] });
  await rewardRounds.advance(db, roundId, 'collecting', 'selling');
  const prices = { averagePrice: '0.00001', quoteUsd: spendableUsd('1'), solUsd: spendableUsd('150') };
  await rewardPayouts.plan(db, {
    roundId,
    mint,
    budgetRaw: 10n,
    holders: 1,
    minimumRaw: 7n,
    leastPayoutRaw: 1n,
    valuation: { ...prices, priceSource: 'fixed', pricedAt: new Date() },
    payouts: [{ owner: address(), kind: 'holder', n: 1, balanceRaw: 8n, amountRaw: 5n, rentRaw: 0n }],
    leftOut: { owners: [], belowMinimum: 0 },
    seal: { n: 0, document },
    note: null,
  });
  return { mint, roundId, document };
}

/** As a movement asks before its signed bytes are persisted. */
const due = (roundId: string, n: number) =>
  transaction(market.db(), async (tx) => {
    await rewardTransactions.lockDue(tx, { roundId, n });
    await rewardTransactions.assertSealed(tx, { roundId, n });
  });

const shown = async (mint: string, page: number) =>
  (await market.app().inject(`/api/public/v1/tokens/${mint}/rewards/rounds?pageSize=${page}`)).json<{
    data: { rounds: { state: string; seal: { documentUrl: string } | null }[] };
  }>().data.rounds[0];

test('no payout of a round may be signed before the seal of its plan is final', async () => {
  const { roundId } = await sealing();
  const db = market.db();
  expect(await rewardRounds.byId(db, roundId)).toMatchObject({ state: 'sealing' });
  await expect(due(roundId, 1)).rejects.toThrow(`reward/${roundId}/1 pays by a plan that is not sealed yet`);
  await expect(due(roundId, 0)).resolves.toBeUndefined();
  await rewardRounds.advance(db, roundId, 'sealing', 'paying');
  await expect(due(roundId, 1)).resolves.toBeUndefined();
});

/** The seal becomes final. */
async function landSeal(roundId: string, root: string) {
  const moved = { baseRaw: 0n, quoteRaw: 0n, paidRaw: 0n, recipients: 0, valueUsd: null };
  const landed = { signature: signature(), slot: 401n, landedAt: new Date(Date.UTC(2026, 10, 21)) };
  await rewardTransactions.settle(market.db(), { roundId, n: 0 }, { ...moved, ...landed, root });
  return landed;
}

test('a round shows what it is sealed with, where and when once that is final, and nothing of it before', async () => {
  const { mint, roundId, document } = await sealing();
  const { root } = document;
  const sealed = { root, rowCount: 1, byteCount: Buffer.byteLength(TEXT.join('\n')) };
  expect(await shown(mint, 1)).toMatchObject({ state: 'sealing', seal: null });
  const landed = await landSeal(roundId, document.root);
  const sealedAt = '2026-11-21T00:00:00.000Z';
  // Another page is an answer of its own.
  const round = await shown(mint, 2);
  expect(round).toMatchObject({ seal: { ...sealed, signature: landed.signature, slot: 401, sealedAt } });
});

test('a round that is closed before its seal is final has no document, one that is closed behind it keeps it', async () => {
  const db = market.db();
  const [open, sealed] = [await sealing(), await sealing()];
  await landSeal(sealed.roundId, sealed.document.root);
  for (const { roundId } of [open, sealed]) await rewardRounds.end(db, roundId, 'closed by an operator');
  const rootOf = async ({ roundId }: typeof open) => (await rewardRounds.byId(db, roundId))?.sealedRoot;
  expect([await rootOf(open), await rootOf(sealed)]).toEqual([null, sealed.document.root]);
  const stated = async ({ mint }: typeof open) => {
    const events = db.selectFrom('events').select('body').where('mint', '=', mint).where('type', '=', 'round.paid');
    return (await events.execute()).map(({ body }) => (body as { sealedRoot: string | null }).sealedRoot);
  };
  expect([await stated(open), await stated(sealed)]).toEqual([[null], [sealed.document.root]]);
});

test('the root before a round is that of a seal on the chain, not of a plan that none seals', async () => {
  const { mint, roundId, document } = await sealing();
  expect(await rewardRounds.lastSealedRoot(market.db(), mint)).toBeNull();
  const other = 'a'.repeat(64);
  await landSeal(roundId, other);
  expect(await rewardRounds.lastSealedRoot(market.db(), mint)).toBe(other);
  expect(document.root).not.toBe(other);
});

test('a lost seal that lands under the number of a planned collection is booked as the seal of its round', async () => {
  const { mint } = await market.launch(rewardFacts(100));
  const [db, roundId, root] = [market.db(), randomUUID(), 'b'.repeat(64)];
  await rewardRounds.plan(db, { id: roundId, mint, number: 1, openedSlot: 7n, window: { slot: 9, slots: 9 } });
  await rewardRounds.planCollection(db, roundId, { sellAt: new Date(), transactions: [{ n: 0, kind: 'harvest' }] });
  await landSeal(roundId, root);
  expect(await rewardTransactions.byKey(db, { roundId, n: 0 })).toMatchObject({ kind: 'seal', state: 'done', root });
  expect(await rewardTransactions.sealedRoot(db, roundId)).toBe(root);
});

test('a sealed document is served to the byte, for ever, under its root', async () => {
  const { mint, roundId, document } = await sealing();
  await landSeal(roundId, document.root);
  const url = new URL((await shown(mint, 1))?.seal?.documentUrl ?? '');
  const answer = await market.app().inject(url.pathname);
  expect([answer.statusCode, answer.body]).toEqual([200, TEXT.join('\n')]);
  expect(answer.headers).toMatchObject({
    'content-type': 'text/plain; charset=utf-8',
    'content-length': String(document.byteCount),
    'cache-control': 'public, max-age=31536000, immutable',
    etag: `"${document.root}"`,
  });
  const again = await market.app().inject({ url: url.pathname, headers: { 'if-none-match': `"${document.root}"` } });
  expect([again.statusCode, again.body]).toEqual([304, '']);
  for (const root of ['0'.repeat(64), 'x']) {
    const missing = await market.app().inject(`/documents/${root}`);
    expect([missing.statusCode, errorOf(missing).code]).toEqual([404, 'not_found']);
  }
});
