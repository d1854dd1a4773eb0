import { createHash, randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
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
import { logPurpose, movesMoney } from '../../domain/purpose.ts';
import { address, signature } from '../support/launch/launch-rows.ts';
import { useMarketApp } from '../support/market/market-app.ts';

const market = useMarketApp();
const receiptKey = { address: address() };

/** Writes as a worker does whose endpoints have reached slot 7. */
const due = () =>
  dueLog({
    db: market.db(),
    rpc: { agreedHead: () => Promise.resolve({ slot: 7 }) },
    context: { environment: 'test', genesisHash: 'genesis' },
    receiptKey,
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
