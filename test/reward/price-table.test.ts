import { randomUUID } from 'node:crypto';
import { NATIVE_MINT } from '@solana/spl-token';
import { expect, it } from 'vitest';
import { byTable } from '../../activities/reward/price-table.ts';
import { packDocument } from '../../db/proof/pack-document.ts';
import * as sealedLogs from '../../db/proof/sealed-logs.ts';
import * as rewardRounds from '../../db/reward/reward-rounds.ts';
import * as rewardSnapshots from '../../db/reward/reward-snapshots.ts';
import { documentLines } from '../../domain/proof/lines.ts';
import { type LoggedPrice, sealedLog } from '../../domain/proof/sealed-log.ts';
import { address, signature } from '../support/launch/launch-rows.ts';
import { rewardFacts } from '../support/launch/launched-token.ts';
import { useMarketApp } from '../support/market/market-app.ts';
import { spendableUsd } from '../support/trading/spendable.ts';

const market = useMarketApp();

const [SOL, AT] = [NATIVE_MINT.toBase58(), '2026-11-21T14:00:00.000Z'];
const priceOf = (mint: string, usd: string): LoggedPrice => ({ mint, usd, source: 'jupiter', at: AT });
const table = (quoteUsd = '1.02', solUsd = '150') => [priceOf(market.quoteMint, quoteUsd), priceOf(SOL, solUsd)];

/** The slot of the drawn block of the last observation. */
const DRAWN = 50_000n;

/** A round whose last observation was drawn in slot 50,000. */
async function observed(answerSlots: readonly bigint[] = [DRAWN + 2n, DRAWN + 1n]): Promise<{ readonly id: string }> {
  const { mint } = await market.launch(rewardFacts(100));
  const [db, id] = [market.db(), randomUUID()];
  await rewardRounds.plan(db, { id, mint, number: 1, openedSlot: 7n, window: { slot: 9, slots: 9 } });
  for (const n of [0, 1, 2]) {
    const slot = DRAWN - BigInt(2 - n) * 1_000n;
    const read = { readSlot: slot + 1n, answerSlots: n === 2 ? answerSlots : [slot + 1n], quorum: 1 };
    const balances = { balances: new Map<string, bigint>(), withheld: null, otherAccounts: new Map() };
    await rewardSnapshots.keep(db, { roundId: id, windowSlot: 9n }, { n, slot, blockhash: 'hash', ...read }, balances);
  }
  return { id };
}

/** Writes and seals a log with these prices. */
async function sealed(slot: bigint, prices: readonly LoggedPrice[] = table()) {
  const db = market.db();
  const wallets = { count: 0, root: '0'.repeat(64) };
  const place = { environment: 'test', genesisHash: 'genesis', slot: 7, receiptKey: address() };
  const { number, root } = await sealedLogs.write(db, { wallets, prices }, (next) => {
    const { head, rows } = sealedLog({ ...place, ...next });
    return packDocument(documentLines(head, rows));
  });
  await sealedLogs.settle(db, number, { root, signature: signature(), slot });
  return { number, root };
}

const LIVE = {
  averagePrice: '0.00001',
  quoteUsd: spendableUsd('1'),
  solUsd: spendableUsd('149.5'),
  priceSource: 'pyth',
  pricedAt: new Date(),
};

const planned = (round: { readonly id: string }) => byTable({ db: market.db() }, round, market.quoteMint, LIVE);

/** Each test begins without logs. */
async function withoutLogs(): Promise<void> {
  await market.db().deleteFrom('sealedLogs').execute();
}

it('a round is planned by the newest log that was sealed before its last observation', async () => {
  await withoutLogs();
  await sealed(DRAWN - 9_000n, table('1.01'));
  const log = await sealed(DRAWN - 1n);
  await sealed(DRAWN, table('1.03'));
  const { valuation, table: used } = await planned(await observed());
  expect(used).toEqual(log);
  const { averagePrice } = LIVE;
  const prices = { quoteUsd: '1.02', solUsd: '150', priceSource: 'jupiter', pricedAt: new Date(AT) };
  expect(valuation).toEqual({ averagePrice, ...prices });
});

it('a log is used up to two hours, and up to 500 bps from the live price', async () => {
  await withoutLogs();
  const log = await sealed(DRAWN - 18_000n, table('1.05', '142.025'));
  expect((await planned(await observed())).table).toEqual(log);
});

it.each<[string, () => Promise<unknown>]>([
  ['there is none', () => Promise.resolve()],
  ['it is older than two hours', () => sealed(DRAWN - 18_001n)],
  ['it was sealed when the balances were known', () => sealed(DRAWN)],
  ['its price of the quote token is too far from the live one', () => sealed(DRAWN - 1n, table('1.0500001'))],
  ['its price of SOL is too far from the live one', () => sealed(DRAWN - 1n, table('1', '142.0249'))],
  ['it lacks SOL', () => sealed(DRAWN - 1n, table().slice(0, 1))],
  ['it lacks the quote token', () => sealed(DRAWN - 1n, table().slice(1))],
  [
    'it is not sealed yet',
    () => {
      const wallets = { count: 0, root: '0'.repeat(64) };
      const lines = documentLines({ kind: 'log' }, { count: 0, rows: [] });
      return sealedLogs.write(market.db(), { wallets, prices: table() }, () => packDocument(lines));
    },
  ],
  [
    'a newer one was lost with a database',
    async () => {
      await sealed(DRAWN - 2n);
      const lost = { root: 'ab'.repeat(32), signature: signature(), slot: DRAWN - 1n };
      await sealedLogs.settle(market.db(), 2, lost);
    },
  ],
])('a round is planned by the live prices, without waiting, if %s', async (_what, log) => {
  await withoutLogs();
  await log();
  expect(await planned(await observed())).toEqual({ valuation: LIVE, table: null });
});

it('an endpoint that answered of an earlier slot bounds the log', async () => {
  await withoutLogs();
  await sealed(DRAWN - 3n);
  expect((await planned(await observed([DRAWN + 1n, DRAWN - 3n]))).table).toBeNull();
});
