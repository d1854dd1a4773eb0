import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import * as airdrops from '../../db/airdrop/airdrops.ts';
import type { NewAirdrop } from '../../db/airdrop/airdrops.ts';
import * as labelledWallets from '../../db/platform/labelled-wallets.ts';
import * as emptyings from '../../db/launch/emptyings.ts';
import * as recipientSets from '../../db/airdrop/recipient-sets.ts';
import { insertIntake } from '../../db/launch/launch-intake.ts';
import { planAirdrop } from '../../domain/airdrop/airdrop.ts';
import type { AirdropTerms } from '../../domain/launch/terms.ts';
import { address, intakeOf, launchTerms } from '../support/launch/launch-rows.ts';
import { useDatabase } from '../support/db/use-database.ts';

const { db } = useDatabase();

const hashOf = (document: Buffer) => createHash('sha256').update(document).digest('hex');

/** A final launch with the plan of its airdrop. */
async function planned(wallets = 10): Promise<NewAirdrop> {
  const document = Buffer.from(`recipients ${address()}`);
  const recipientsHash = hashOf(document);
  await recipientSets.keep(db(), recipientsHash, document);
  const terms = launchTerms();
  await insertIntake(db(), intakeOf(terms));
  await setState(terms.quoteId, 'finalized');
  const shares = planAirdrop(1_003n, Array.from({ length: wallets }, address));
  const { quoteId, addresses } = terms;
  const airdrop = {
    quoteId,
    mint: addresses.mint,
    shareRaw: 1_003n,
    recipientsHash,
    recipientsUri: 'https://x',
    shares,
  };
  await airdrops.plan(db(), airdrop);
  return airdrop;
}

async function setState(quoteId: string, state: 'finalized' | 'completed'): Promise<void> {
  const completed = { paymentSignature: 'p', launchedAt: new Date(), completedAt: new Date() };
  await db()
    .updateTable('launches')
    .set({ state, ...completed })
    .where('quoteId', '=', quoteId)
    .execute();
}

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
    await airdrops.assertDue(db(), quoteId, 1);
    await setState(quoteId, 'completed');
    await expect(airdrops.assertDue(db(), quoteId, 1)).rejects.toThrow(/launch is completed/);
    await setState(quoteId, 'finalized');
    await airdrops.markBatch(db(), quoteId, 1, landed);
    await expect(airdrops.assertDue(db(), quoteId, 1)).rejects.toThrow(/is not due/);
    await expect(airdrops.assertDue(db(), quoteId, 9)).rejects.toThrow(/not planned/);
  });
});

describe('airdrops that are not delivered', () => {
  it('are those of final launches, oldest first, and keep their wallets from being emptied', async () => {
    const [first, second, early] = [await planned(), await planned(), await planned()];
    await setState(early.quoteId, 'completed');
    const own = [first, second, early].map(({ quoteId }) => quoteId);
    const waiting = (await airdrops.undelivered(db())).filter((quoteId) => own.includes(quoteId));
    expect(waiting).toEqual([first.quoteId, second.quoteId]);
    expect((await airdrops.backlog(db())).open).toBeGreaterThanOrEqual(2);
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
