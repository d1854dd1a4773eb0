import { createHash, randomUUID } from 'node:crypto';
import { NATIVE_MINT } from '@solana/spl-token';
import { beforeEach, expect, it } from 'vitest';
import { pricesOfRounds } from '../../activities/proof/log-prices.ts';
import { dueLog, receiptKeyOf } from '../../activities/proof/write-log.ts';
import { readLogDocument } from '../../client/verify/log/log-document.ts';
import { rootAfter } from '../../client/verify/wallets/sealed-list.ts';
import type { WalletEntry } from '../../client/verify/wallets/wallet-list.ts';
import { transaction } from '../../db/connect.ts';
import * as receipts from '../../db/launch/receipts.ts';
import { claimEnvironment } from '../../db/platform/environment.ts';
import * as walletManifest from '../../db/platform/wallet-manifest.ts';
import * as sealedLogs from '../../db/proof/sealed-logs.ts';
import type { SealedLog } from '../../db/proof/sealed-logs.ts';
import * as rewardRounds from '../../db/reward/reward-rounds.ts';
import { AppError } from '../../domain/errors.ts';
import { documentLines } from '../../domain/proof/lines.ts';
import { type LoggedPrice, sealedLog } from '../../domain/proof/sealed-log.ts';
import { logPurpose, movesMoney } from '../../domain/purpose.ts';
import type { SpendablePrice } from '../../domain/trading/spendable-price.ts';
import { address, signature } from '../support/launch/launch-rows.ts';
import { rewardFacts } from '../support/launch/launched-token.ts';
import { useMarketApp } from '../support/market/market-app.ts';
import { spendable } from '../support/trading/spendable.ts';

const market = useMarketApp();
const receiptKey = { address: address() };

const [SOL, SYSTEM, PRICED_AT] = [NATIVE_MINT.toBase58(), '1'.repeat(32), new Date(Date.UTC(2026, 10, 21, 14))];
/** Prices that can be had, by mint. */
const steady = new Map<string, SpendablePrice>();
beforeEach(() => {
  steady.clear();
  for (const [mint, usd] of [
    [market.quoteMint, '1.020'],
    [SOL, '150'],
  ] as const)
    steady.set(mint, spendable(usd, PRICED_AT));
});
const spendablePrices = {
  of: (mint: string) => {
    const price = steady.get(mint);
    return price ? Promise.resolve(price) : Promise.reject(new AppError('service_unavailable', `no price of ${mint}`));
  },
};

/** Writes as a worker does whose endpoints have reached slot 7. */
const due = () =>
  dueLog({
    db: market.db(),
    rpc: { agreedHead: () => Promise.resolve({ slot: 7 }) },
    context: { environment: 'test', genesisHash: 'genesis' },
    receiptKey,
    spendablePrices,
    heartbeat: () => undefined,
  } as never);

const written = async (): Promise<SealedLog> => {
  const log = await due();
  if (!log) throw new Error('nothing is due');
  return log;
};

async function sign(): Promise<{ readonly quoteId: string; readonly digest: string }> {
  const [quoteId, jws] = [randomUUID(), randomUUID()];
  await receipts.keep(market.db(), quoteId, { kind: 'notCharged', jws });
  return { quoteId, digest: createHash('sha256').update(jws).digest('hex') };
}

const settle = (log: SealedLog, root = log.root) =>
  sealedLogs.settle(market.db(), log.number, { root, signature: signature(), slot: 9n });

const shown = async ({ root }: SealedLog) => {
  const { body } = await market.app().inject(`/documents/${root}`);
  return readLogDocument([body], root);
};

/** The list of wallets as the API shows it. */
async function listed(): Promise<WalletEntry[]> {
  const entries = await walletManifest.after(market.db(), 0, null, 1_000);
  return entries.map(({ slot, notedAt, ...entry }) => ({
    ...entry,
    slot: Number(slot),
    notedAt: notedAt.toISOString(),
  }));
}

it('a log has every receipt that no log has, the list of wallets, and the root of the log before it', async () => {
  const [one, other] = [await sign(), await sign()];
  const first = await written();
  await settle(first);
  const third = await sign();
  await market.launch();
  const second = await written();
  await settle(second);
  const entries = await listed();
  const [begin, next] = [await shown(first), await shown(second)];
  expect([...begin.digests].toSorted()).toEqual([one.digest, other.digest].toSorted());
  expect(begin).toMatchObject({
    number: first.number,
    slot: 7,
    receiptKey: receiptKey.address,
    genesisHash: 'genesis',
  });
  expect([...next.digests]).toEqual([third.digest]);
  expect(next).toMatchObject({ number: first.number + 1, previous: first.root });
  expect(next.wallets).toEqual({ count: entries.length, root: rootAfter(entries, entries.length) });
  expect(begin.wallets.count).toBeLessThan(entries.length);
});

it('nothing new is no log, and a log that is not sealed yet is written once', async () => {
  expect(await due()).toBeNull();
  await sign();
  const begun = await written();
  await sign();
  expect(await written()).toEqual(begun);
  expect(await market.db().selectFrom('sealedLogs').selectAll().where('sealSignature', 'is', null).execute()).toEqual([
    begun,
  ]);
  expect(await receiptKeyOf(market.db(), begun.root)).toBe(receiptKey.address);
  await settle(begun);
  await settle(await written());
  expect(await due()).toBeNull();
});

it('a log whose seal on the chain names another root takes that root, and its receipts go into the next', async () => {
  const { digest } = await sign();
  const log = await written();
  const lost = 'ab'.repeat(32);
  expect(await settle(log, lost)).toBe(false);
  const next = await written();
  expect(await shown(next)).toMatchObject({ number: log.number + 1, previous: lost });
  expect([...(await shown(next)).digests]).toEqual([digest]);
  expect(await settle(next)).toBe(true);
});

/** A reward round that observes, of a coin of its own. */
async function openRound(): Promise<string> {
  const { mint } = await market.launch(rewardFacts(100));
  const id = randomUUID();
  await rewardRounds.plan(market.db(), { id, mint, number: 1, openedSlot: 7n, window: { slot: 9, slots: 9 } });
  return id;
}

const priceOf = (mint: string, usd: string) => ({ mint, usd, source: 'fixed', at: PRICED_AT.toISOString() });
/** As a document has them. */
const inOrder = (...prices: readonly LoggedPrice[]) => prices.toSorted((a, b) => (a.mint < b.mint ? -1 : 1));

it('while a reward round has no plan, each log has the price of its quote token and of SOL', async () => {
  const rounds = [await openRound(), await openRound()];
  const expected = inOrder(priceOf(market.quoteMint, '1.02'), priceOf(SOL, '150'));
  for (const name of ['with the new wallets', 'with nothing else']) {
    const log = await written();
    expect((await shown(log)).prices, name).toEqual(expected);
    await settle(log);
    const { root, prices = [] } = (await sealedLogs.newestTableBefore(market.db(), 10n)) ?? {};
    expect({ root, prices: inOrder(...prices) }).toEqual({ root: log.root, prices: expected });
  }
  expect(await sealedLogs.newestTableBefore(market.db(), 9n)).toBeNull();
  await rewardRounds.end(market.db(), rounds[0]!, null);
  const [state, sealedRoot] = ['sealing', (await sealedLogs.newest(market.db()))!.root] as const;
  const second = market.db().updateTable('rewardRounds').set({ state, sealedRoot }).where('id', '=', rounds[1]!);
  await second.execute();
  expect(await due()).toBeNull();
  await rewardRounds.end(market.db(), rounds[1]!, null);
});

it('a price that cannot be had is left out, and prices of other errors are not', async () => {
  const round = await openRound();
  steady.delete(SOL);
  const log = await written();
  expect((await shown(log)).prices).toEqual([priceOf(market.quoteMint, '1.02')]);
  await settle(log);
  steady.delete(market.quoteMint);
  expect(await due()).toBeNull();
  const broken = { of: () => Promise.reject(new TypeError('no such thing')) };
  await expect(pricesOfRounds({ db: market.db(), spendablePrices: broken })).rejects.toThrow('no such thing');
  await rewardRounds.end(market.db(), round, null);
});

it('a log that a restored database lost has no prices for it, and the next one has them again', async () => {
  const round = await openRound();
  const log = await written();
  expect(await settle(log, 'ef'.repeat(32))).toBe(false);
  expect(await sealedLogs.newestTableBefore(market.db(), 10n)).toBeNull();
  const next = await written();
  await settle(next);
  expect(await sealedLogs.newestTableBefore(market.db(), 10n)).toMatchObject({ number: log.number + 1 });
  await rewardRounds.end(market.db(), round, null);
});

it.each([
  ['not in order', [priceOf(SOL, '1'), priceOf(SYSTEM, '1')], 'behind'],
  ['of one mint twice', [priceOf(SOL, '1'), priceOf(SOL, '1')], 'behind'],
  ['not in their one form', [priceOf(SOL, '1.0')], 'not in its one form'],
  ['zero', [priceOf(SOL, '0')], 'zero'],
  ['of no mint', [priceOf('SOL', '1')], 'no address'],
  ['of no time', [{ ...priceOf(SOL, '1'), at: 'today' }], 'no time'],
])('prices that are %s are refused', async (_what, prices, problem) => {
  const { head, rows } = sealedLog({
    environment: 'test',
    genesisHash: 'genesis',
    number: 1,
    previous: null,
    slot: 7,
    receiptKey: receiptKey.address,
    wallets: { count: 0, root: '0'.repeat(64) },
    prices: [],
    digests: [],
  });
  const text = [...documentLines({ ...head, prices }, rows)].join('\n');
  const refused = expect(readLogDocument([text], 'the log')).rejects;
  await refused.toHaveProperty('found.value', expect.stringContaining(problem));
});

it('a seal is due until it is final', async () => {
  await sign();
  const log = await written();
  const lock = () => transaction(market.db(), (tx) => sealedLogs.lockDue(tx, log.number));
  expect((await lock()).purposes).toEqual([logPurpose(log.number)]);
  expect(movesMoney(logPurpose(log.number))).toBe(false);
  await settle(log);
  await expect(lock()).rejects.toThrow(`the seal of log ${log.number} is not due`);
});

it('the API shows the newest log that is sealed and whose document it has', async () => {
  await sign();
  const log = await written();
  await settle(log);
  await sign();
  await settle(await written(), 'cd'.repeat(32));
  const answer = await market.app().inject('/api/public/v1/platform/log');
  const { number, root } = log;
  const shownLog = answer.json<{ data: { log: { documentUrl: string } } }>().data.log;
  await claimEnvironment(market.db(), { environment: 'test', genesisHash: 'genesis' });
  const known = await market.app().inject('/.well-known/slipway.json');
  expect(known.json<{ data: { log: object } }>().data.log).toEqual(shownLog);
  expect(shownLog).toMatchObject({ number, root, slot: 9 });
  expect(new URL(shownLog.documentUrl).pathname).toBe(`/documents/${root}`);
});
