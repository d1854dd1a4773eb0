import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { type AirdropRepository, createAirdropRepository, type NewAirdrop } from '../../db/airdrop/airdrops.ts';
import { createLabelledWalletRepository } from '../../db/platform/labelled-wallets.ts';
import { createLaunchRepository } from '../../db/launch/launches.ts';
import { createRecipientSetRepository } from '../../db/airdrop/recipient-sets.ts';
import { planAirdrop } from '../../domain/airdrop/airdrop.ts';
import type { AirdropTerms } from '../../domain/launch/terms.ts';
import { address, intakeOf, launchTerms } from '../support/launch/launch-rows.ts';
import { useDatabase } from '../support/db/use-database.ts';

const { db } = useDatabase();
let airdrops: AirdropRepository;
beforeEach(() => {
  airdrops = createAirdropRepository(db());
});

const hashOf = (document: Buffer) => createHash('sha256').update(document).digest('hex');

/** A final launch with the plan of its airdrop. */
async function planned(wallets = 10): Promise<NewAirdrop> {
  const document = Buffer.from(`recipients ${address()}`);
  const recipientsHash = hashOf(document);
  await createRecipientSetRepository(db()).keep(recipientsHash, document);
  const terms = launchTerms();
  await createLaunchRepository(db()).insertIntake(intakeOf(terms));
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
  await airdrops.plan(airdrop);
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
    await airdrops.plan(airdrop);
    const open = await airdrops.openBatches(airdrop.quoteId);
    expect(open.map(({ batch, shares }) => [batch, shares.length])).toEqual([
      [1, 7],
      [2, 3],
    ]);
    expect(open.flatMap(({ shares }) => shares)).toEqual(
      airdrop.shares
        .map(({ wallet, amountRaw }) => ({ wallet, amountRaw }))
        .map((share) => expect.objectContaining(share) as object),
    );
    await expect(airdrops.plan({ ...airdrop, shareRaw: 1_004n })).rejects.toThrow(/another airdrop is recorded/);
  });

  it('is delivered when each of its transactions is, and not before', async () => {
    const { quoteId } = await planned();
    await airdrops.markBatch(quoteId, 1, landed);
    await expect(airdrops.markDelivered(quoteId)).rejects.toThrow(/not delivered/);
    expect(await airdrops.progressOf(quoteId)).toEqual({
      ...{ batches: 2, deliveredBatches: 1, recipients: 10, deliveredRecipients: 7 },
      deliveredRaw: 703n,
    });
    await airdrops.noteProblem(quoteId, 'no lamports');
    await airdrops.markBatch(quoteId, 2, landed);
    await airdrops.markDelivered(quoteId);
    await airdrops.markDelivered(quoteId);
    expect(await airdrops.byQuoteId(quoteId)).toMatchObject({ problem: null, deliveredAt: expect.any(Date) as Date });
  });

  it('a transaction that is final stays as it was booked', async () => {
    const { quoteId } = await planned();
    await airdrops.markBatch(quoteId, 1, landed);
    await airdrops.markBatch(quoteId, 1, { signature: 'another', slot: 8n });
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
    await airdrops.assertDue(quoteId, 1);
    await setState(quoteId, 'completed');
    await expect(airdrops.assertDue(quoteId, 1)).rejects.toThrow(/launch is completed/);
    await setState(quoteId, 'finalized');
    await airdrops.markBatch(quoteId, 1, landed);
    await expect(airdrops.assertDue(quoteId, 1)).rejects.toThrow(/is not due/);
    await expect(airdrops.assertDue(quoteId, 9)).rejects.toThrow(/not planned/);
  });
});

describe('airdrops that are not delivered', () => {
  it('are those of final launches, oldest first, and keep their wallets from being swept', async () => {
    const [first, second, early] = [await planned(), await planned(), await planned()];
    await setState(early.quoteId, 'completed');
    const own = [first, second, early].map(({ quoteId }) => quoteId);
    const waiting = (await airdrops.undelivered()).filter((quoteId) => own.includes(quoteId));
    expect(waiting).toEqual([first.quoteId, second.quoteId]);
    expect((await airdrops.backlog()).open).toBeGreaterThanOrEqual(2);
    for (const batch of [1, 2]) await airdrops.markBatch(first.quoteId, batch, landed);
    await airdrops.markDelivered(first.quoteId);
    const due = await createLaunchRepository(db()).takeDueSweeps(1_000);
    expect(due).toContain(first.quoteId);
    expect(due).not.toContain(second.quoteId);
  });
});

describe('recipients that no launch took up', () => {
  it('are deleted after an hour; those of a launch are kept for a month, those of an airdrop for ever', async () => {
    const sets = createRecipientSetRepository(db());
    const { recipientsHash: delivered } = await planned();
    const [unused, submitted] = [Buffer.from('unused'), Buffer.from('submitted')].map((document) => ({
      ...{ document, hash: hashOf(document) },
    })) as [{ document: Buffer; hash: string }, { document: Buffer; hash: string }];
    for (const { hash, document } of [unused, submitted]) await sets.keep(hash, document);
    const airdrop: AirdropTerms = {
      ...{ source: 'quote-holders', tier: 'top100', shareRaw: '100', recipients: 100 },
      ...{ recipientsHash: submitted.hash, snapshotSlot: 1, feeLamports: '1', computeUnitPrice: '1' },
    };
    await createLaunchRepository(db()).insertIntake(intakeOf(launchTerms({ airdrop })));
    const known = async () =>
      Promise.all([unused.hash, submitted.hash, delivered].map(async (hash) => (await sets.byHash(hash)) !== null));
    await passed('59 minutes');
    await sets.discardExpired();
    expect(await known()).toEqual([true, true, true]);
    await passed('2 minutes');
    expect(await sets.discardExpired()).toBe(1);
    expect(await known()).toEqual([false, true, true]);
    // Prepared again: that does not shorten it.
    await sets.keep(submitted.hash, submitted.document);
    await passed('27 days');
    await sets.discardExpired();
    expect(await known()).toEqual([false, true, true]);
    await passed('5 days');
    await sets.discardExpired();
    expect(await known()).toEqual([false, false, true]);
  });

  const passed = (time: string) =>
    sql`update recipient_sets set keep_until = keep_until - ${time}::interval`.execute(db());

  it('have the hash of their document, or are refused', async () => {
    const keep = createRecipientSetRepository(db()).keep('ab'.repeat(32), Buffer.from('something'));
    await expect(keep).rejects.toThrow(/recipient_sets_hash/);
  });
});

describe('labelled wallets', () => {
  it('are found among others, with the wallets of launches; what somebody has set stays', async () => {
    const labels = createLabelledWalletRepository(db());
    const [exchange, person] = [address(), address()];
    await labels.set({ address: exchange, label: 'exchange' }, { actor: 'me', note: 'known' });
    expect(await labels.addMissing([{ address: exchange, label: 'treasury' }], 'worker')).toBe(0);
    expect((await labels.list()).find((row) => row.address === exchange)).toMatchObject({
      label: 'exchange',
      addedBy: 'me',
    });
    expect(await labels.amongst([exchange, person])).toEqual(new Set([exchange]));
    expect(await labels.remove(exchange, { actor: 'me' })).toBe(true);
    expect(await labels.remove(exchange, { actor: 'me' })).toBe(false);
    expect(await labels.amongst([exchange, person])).toEqual(new Set());
  });
});
