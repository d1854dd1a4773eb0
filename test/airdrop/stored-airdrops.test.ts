import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import * as airdrops from '../../db/airdrop/airdrops.ts';
import * as airdropSeals from '../../db/airdrop/airdrop-seals.ts';
import * as labelledWallets from '../../db/platform/labelled-wallets.ts';
import * as emptyings from '../../db/launch/emptyings.ts';
import * as recipientSets from '../../db/airdrop/recipient-sets.ts';
import { insertIntake } from '../../db/launch/launch-intake.ts';
import { transaction } from '../../db/connect.ts';
import { airdropPurpose, airdropSealPurpose } from '../../domain/purpose.ts';
import type { AirdropTerms } from '../../domain/launch/terms.ts';
import { address, intakeOf, launchTerms } from '../support/launch/launch-rows.ts';
import { plannedAirdrop, setState as setLaunchState } from '../support/airdrop/airdrop-rows.ts';
import { ending } from '../support/money/due.ts';
import { useDatabase } from '../support/db/use-database.ts';

const { db } = useDatabase();

const hashOf = (document: Buffer) => createHash('sha256').update(document).digest('hex');
const planned = () => plannedAirdrop(db());
const setState = (quoteId: string, state: 'finalized' | 'completed') => setLaunchState(db(), quoteId, state);

const landed = { signature: 'signature', slot: 7n };

describe('the plan of an airdrop', () => {
  it('is written once; a repeat changes nothing and another one contradicts it', async () => {
    const airdrop = await planned();
    await airdrops.plan(db(), airdrop);
    const open = await airdrops.openBatches(db(), airdrop.quoteId);
    expect(open.map(({ batch, shares }) => [batch, shares.length])).toEqual([
      [1, 6],
      [2, 4],
    ]);
    expect(open.flatMap(({ shares }) => shares)).toEqual(
      airdrop.shares
        .map(({ wallet, amountRaw }) => ({ wallet, amountRaw }))
        .map((share) => expect.objectContaining(share) as object),
    );
    await expect(airdrops.plan(db(), { ...airdrop, shareRaw: 1_004n })).rejects.toThrow(/another airdrop is recorded/);
  });

  it('is delivered when each of its transactions is, and not before', async () => {
    const { quoteId } = await planned();
    await airdrops.markBatch(db(), quoteId, 1, landed);
    await expect(airdrops.markDelivered(db(), quoteId)).rejects.toThrow(/not delivered/);
    expect(await airdrops.progressOf(db(), quoteId)).toEqual({
      batches: 2,
      deliveredBatches: 1,
      recipients: 10,
      deliveredRecipients: 6,
      deliveredRaw: 603n,
    });
    await airdrops.noteProblem(db(), quoteId, 'no lamports');
    await airdrops.markBatch(db(), quoteId, 2, landed);
    await airdrops.markDelivered(db(), quoteId);
    await airdrops.markDelivered(db(), quoteId);
    expect(await airdrops.byQuoteId(db(), quoteId)).toMatchObject({
      problem: null,
      deliveredAt: expect.any(Date) as Date,
    });
  });

  it('a transaction that is final stays as it was booked', async () => {
    const { quoteId } = await planned();
    await airdrops.markBatch(db(), quoteId, 1, landed);
    await airdrops.markBatch(db(), quoteId, 1, { signature: 'another', slot: 8n });
    const row = await db()
      .selectFrom('airdropBatches')
      .selectAll()
      .where('quoteId', '=', quoteId)
      .where('batch', '=', 1)
      .executeTakeFirstOrThrow();
    expect(row).toMatchObject(landed);
  });
});

describe('a transaction of a delivery is due', () => {
  it('while it is not final and its launch is', async () => {
    const { quoteId } = await planned();
    const lock = (batch: number) => transaction(db(), (tx) => airdrops.lockDue(tx, quoteId, batch));
    expect((await lock(1)).purposes).toEqual([airdropPurpose(quoteId, 1)]);
    await setState(quoteId, 'completed');
    await expect(lock(1)).rejects.toThrow(/launch is completed/);
    await setState(quoteId, 'finalized');
    await airdrops.markBatch(db(), quoteId, 1, landed);
    await expect(lock(1)).rejects.toThrow(/is not due/);
    await expect(lock(9)).rejects.toThrow(/not planned/);
    await ending(db(), (tx) => airdrops.lockAllDue(tx, quoteId), airdrops.giveUp);
    await expect(lock(2)).rejects.toThrow(/the airdrop ended at/);
  });
});

describe('the seal of an airdrop', () => {
  it('is due once, and no batch is due before it is final', async () => {
    const { quoteId } = await plannedAirdrop(db(), false);
    const lock = () => transaction(db(), (tx) => airdropSeals.lockDue(tx, quoteId));
    const batch = () => transaction(db(), (tx) => airdrops.lockDue(tx, quoteId, 1));
    await expect(batch()).rejects.toThrow(/its list is not sealed/);
    expect((await lock()).purposes).toEqual([airdropSealPurpose(quoteId)]);
    await airdropSeals.mark(db(), quoteId, landed);
    await expect(lock()).rejects.toThrow(/the seal of airdrop .* is not due/);
    expect((await batch()).purposes).toEqual([airdropPurpose(quoteId, 1)]);
  });

  it('is of the first document that was stored', async () => {
    const { quoteId, recipientsHash } = await plannedAirdrop(db(), false);
    const other = { root: 'ab'.repeat(32), rowCount: 10, byteCount: 1n, parts: [] };
    expect(await airdropSeals.keep(db(), quoteId, other)).toBe(recipientsHash);
  });

  it('cannot be signed behind a decision that ended the airdrop', async () => {
    const { quoteId } = await plannedAirdrop(db(), false);
    await ending(db(), (tx) => airdrops.lockAllDue(tx, quoteId), airdrops.giveUp);
    await expect(transaction(db(), (tx) => airdropSeals.lockDue(tx, quoteId))).rejects.toThrow(/is not due/);
  });

  it('stays with an airdrop that is ended behind it; one that is ended before has no document', async () => {
    const [open, sealed] = [await plannedAirdrop(db(), false), await plannedAirdrop(db(), false)];
    await airdropSeals.mark(db(), sealed.quoteId, landed);
    for (const { quoteId } of [open, sealed])
      await ending(db(), (tx) => airdrops.lockAllDue(tx, quoteId), airdrops.giveUp);
    const rootOf = async (quoteId: string) => (await airdrops.byQuoteId(db(), quoteId))?.sealedRoot;
    expect([await rootOf(open.quoteId), await rootOf(sealed.quoteId)]).toEqual([null, sealed.recipientsHash]);
    const late = { root: 'ab'.repeat(32), rowCount: 10, byteCount: 1n, parts: [] };
    await expect(airdropSeals.keep(db(), open.quoteId, late)).rejects.toThrow('it gets no document');
    expect(await rootOf(open.quoteId)).toBeNull();
  });
});

describe('airdrops that are not delivered', () => {
  it('are those of final launches, oldest first, and keep their wallets from being emptied', async () => {
    const [first, second, early] = [await planned(), await planned(), await planned()];
    await setState(early.quoteId, 'completed');
    const own = [first, second, early].map(({ quoteId }) => quoteId);
    const waiting = (await airdrops.undelivered(db())).filter((quoteId) => own.includes(quoteId));
    expect(waiting).toEqual([first.quoteId, second.quoteId]);
    expect(await airdrops.backlog(db())).toBeGreaterThanOrEqual(2);
    for (const batch of [1, 2]) await airdrops.markBatch(db(), first.quoteId, batch, landed);
    await airdrops.markDelivered(db(), first.quoteId);
    const due = await emptyings.takeDue(db(), 1_000);
    expect(due).toContain(first.quoteId);
    expect(due).not.toContain(second.quoteId);
  });
});

describe('recipients that no launch took up', () => {
  it('are deleted after five minutes; those of a launch are kept for a month, those of an airdrop for ever', async () => {
    const { recipientsHash: delivered } = await planned();
    const [unused, submitted] = [Buffer.from('unused'), Buffer.from('submitted')].map((document) => ({
      document,
      hash: hashOf(document),
    })) as [{ document: Buffer; hash: string }, { document: Buffer; hash: string }];
    for (const { hash, document } of [unused, submitted]) await recipientSets.keep(db(), hash, document);
    const airdrop: AirdropTerms = {
      source: 'quote-holders',
      tier: 'top100',
      shareRaw: '100',
      recipients: 100,
      recipientsHash: submitted.hash,
      snapshotSlot: 1,
      feeLamports: '1',
      computeUnitPrice: '1',
    };
    await insertIntake(db(), intakeOf(launchTerms({ airdrop })));
    const known = async () =>
      Promise.all(
        [unused.hash, submitted.hash, delivered].map(async (hash) => (await recipientSets.byHash(db(), hash)) !== null),
      );
    await passed('4 minutes');
    await recipientSets.discardExpired(db());
    expect(await known()).toEqual([true, true, true]);
    await passed('2 minutes');
    expect(await recipientSets.discardExpired(db())).toBe(1);
    expect(await known()).toEqual([false, true, true]);
    // Prepared again: that does not shorten it.
    await recipientSets.keep(db(), submitted.hash, submitted.document);
    await passed('27 days');
    await recipientSets.discardExpired(db());
    expect(await known()).toEqual([false, true, true]);
    await passed('5 days');
    await recipientSets.discardExpired(db());
    expect(await known()).toEqual([false, false, true]);
  });

  const passed = (time: string) =>
    sql`update recipient_sets set keep_until = keep_until - ${time}::interval`.execute(db());

  it('have the hash of their document, or are refused', async () => {
    const keep = recipientSets.keep(db(), 'ab'.repeat(32), Buffer.from('something'));
    await expect(keep).rejects.toThrow(/recipient_sets_hash/);
  });
});

describe('labelled wallets', () => {
  it('are found among others, with the wallets of launches; what somebody has set stays', async () => {
    const [exchange, person] = [address(), address()];
    await labelledWallets.set(db(), { address: exchange, label: 'exchange' }, { actor: 'me', note: 'known' });
    expect(await labelledWallets.addMissing(db(), [{ address: exchange, label: 'treasury' }], 'worker')).toBe(0);
    expect((await labelledWallets.list(db())).find((row) => row.address === exchange)).toMatchObject({
      label: 'exchange',
      addedBy: 'me',
    });
    expect(await labelledWallets.amongst(db(), [exchange, person])).toEqual(new Set([exchange]));
    expect(await labelledWallets.remove(db(), exchange, { actor: 'me' })).toBe(true);
    expect(await labelledWallets.remove(db(), exchange, { actor: 'me' })).toBe(false);
    expect(await labelledWallets.amongst(db(), [exchange, person])).toEqual(new Set());
  });
});
