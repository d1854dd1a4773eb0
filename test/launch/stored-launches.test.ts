import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { transaction } from '../../db/connect.ts';
import { ContradictionError } from '../../db/errors.ts';
import { insertIntake, LateQuoteError, refuseIntake } from '../../db/launch/launch-intake.ts';
import { transitionLaunch } from '../../db/launch/launch-transition.ts';
import * as lateQuotes from '../../db/launch/late-quotes.ts';
import * as launches from '../../db/launch/launches.ts';
import * as publicLedger from '../../db/launch/public-ledger.ts';
import { recordLaunch } from '../../db/launch/record-launch.ts';
import * as tokens from '../../db/tokens.ts';
import type { LaunchMode } from '../../domain/token-facts.ts';
import { address, bringTo, intakeOf, launchTerms, recordingOf, signature } from '../support/launch/launch-rows.ts';
import { useDatabase } from '../support/db/use-database.ts';

const LIMITS = { perClient: 100, inAll: 1_000 };

const { db } = useDatabase();

async function received() {
  const terms = launchTerms();
  const intake = intakeOf(terms);
  await insertIntake(db(), intake);
  return { ...intake, quoteId: terms.quoteId };
}

describe('intake', () => {
  it('keeps the first submission: terms, signature, wire bytes and logo come back as they were given', async () => {
    const intake = intakeOf(launchTerms());
    const { isNew, launch } = await insertIntake(db(), intake);
    expect(isNew).toBe(true);
    expect(launch).toMatchObject({ terms: intake.terms, state: 'received', paymentLamports: 290_000_000n });
    expect(launch).toMatchObject({ submittedSignature: intake.signature, paymentSignature: null });
    expect(launch.submittedWire.equals(intake.wire)).toBe(true);
    expect((await launches.logo(db(), launch.quoteId))?.bytes.toString()).toBe('logo');
  });

  it('20 concurrent submissions of one quote with different signatures make one launch and 20 signatures', async () => {
    const terms = launchTerms();
    const intakes = Array.from({ length: 20 }, () => intakeOf(terms));
    const results = await Promise.all(intakes.map((intake) => insertIntake(db(), intake)));
    expect(results.filter(({ isNew }) => isNew)).toHaveLength(1);
    const signatures = await launches.signatures(db(), terms.quoteId);
    expect(new Set(signatures.map((row) => row.signature))).toEqual(new Set(intakes.map((row) => row.signature)));
    expect(signatures.filter(({ kind }) => kind === 'submitted')).toHaveLength(1);
    expect(await launches.history(db(), terms.quoteId)).toHaveLength(1);
  });

  it('of a submission and a refusal of the same quote at once one wins, and the other learns of it', async () => {
    for (let round = 0; round < 10; round++) {
      const terms = launchTerms();
      const [taken, refused] = await Promise.allSettled([
        insertIntake(db(), intakeOf(terms)),
        refuseIntake(db(), intakeOf(terms), LIMITS),
      ]);
      const launch = await launches.byQuoteId(db(), terms.quoteId);
      const late = await lateQuotes.byQuoteId(db(), terms.quoteId);
      expect([launch === null, late === null]).toEqual(launch ? [false, true] : [true, false]);
      expect(taken.status).toBe(launch ? 'fulfilled' : 'rejected');
      expect(refused).toMatchObject({ status: 'fulfilled', value: launch && { quoteId: terms.quoteId } });
    }
  });

  it('a refused quote is over: nothing of it is taken in any more', async () => {
    const terms = launchTerms();
    expect(await refuseIntake(db(), { ...intakeOf(terms), client: '203.0.113.1' }, LIMITS)).toBeNull();
    await expect(insertIntake(db(), intakeOf(terms))).rejects.toThrow(LateQuoteError);
    expect(await launches.byQuoteId(db(), terms.quoteId)).toBeNull();
  });

  it('a repeat of the same submission changes nothing', async () => {
    const intake = intakeOf(launchTerms());
    await insertIntake(db(), intake);
    const { isNew } = await insertIntake(db(), intake);
    expect(isNew).toBe(false);
    expect((await launches.signatures(db(), intake.terms.quoteId)).map(({ kind }) => kind)).toEqual(['submitted']);
  });

  it('the same quote with other terms is a contradiction and leaves no trace', async () => {
    const { terms } = await received();
    const other = intakeOf({ ...terms, name: 'Another' });
    await expect(insertIntake(db(), other)).rejects.toThrow(ContradictionError);
    expect(await launches.bySignature(db(), other.signature)).toBeNull();
  });

  it('a mint or a signature of another launch is a contradiction', async () => {
    const { terms, signature: taken } = await received();
    const sameMint = intakeOf(launchTerms({ addresses: terms.addresses }));
    await expect(insertIntake(db(), sameMint)).rejects.toThrow(`mint ${terms.addresses.mint} belongs to another`);
    const sameSignature = { ...intakeOf(launchTerms()), signature: taken };
    await expect(insertIntake(db(), sameSignature)).rejects.toThrow(ContradictionError);
    expect(await launches.byQuoteId(db(), sameSignature.terms.quoteId)).toBeNull();
  });

  it('inside a transaction that is rolled back it leaves nothing', async () => {
    const intake = intakeOf(launchTerms());
    const undone = transaction(db(), async (tx) => {
      await insertIntake(tx, intake);
      throw new Error('undo');
    });
    await expect(undone).rejects.toThrow('undo');
    expect(await launches.byQuoteId(db(), intake.terms.quoteId)).toBeNull();
  });
});

describe('status lookup', () => {
  it('finds a launch by its submitted, alias and landed signature', async () => {
    const { terms, quoteId, signature: submitted } = await received();
    const alias = intakeOf(terms);
    await insertIntake(db(), alias);
    const landed = signature();
    await transitionLaunch(db(), quoteId, ['received'], 'landing', { paymentSignature: landed });
    for (const known of [submitted, alias.signature, landed]) {
      expect(await launches.bySignature(db(), known)).toMatchObject({ quoteId, paymentSignature: landed });
    }
    expect(await launches.bySignature(db(), signature())).toBeNull();
  });
});

describe('transitions', () => {
  it('move a launch only from the states that were named, and write the history', async () => {
    const { quoteId } = await received();
    expect(await transitionLaunch(db(), quoteId, ['received'], 'preparing')).toBe(true);
    expect(await transitionLaunch(db(), quoteId, ['received'], 'landing')).toBe(false);
    expect(await transitionLaunch(db(), quoteId, ['preparing'], 'landing', { slot: 77n, note: 'sent' })).toBe(true);
    const history = await launches.history(db(), quoteId);
    expect(history.map(({ state }) => state)).toEqual(['received', 'preparing', 'landing']);
    expect(history.at(-1)).toMatchObject({ slot: 77n, note: 'sent' });
  });

  it('that the life of a launch does not have are refused, and change nothing', async () => {
    const { quoteId } = await received();
    const skipped = transitionLaunch(db(), quoteId, ['received'], 'completed');
    await expect(skipped).rejects.toThrow(`launch ${quoteId} cannot go from received to completed`);
    await expect(transitionLaunch(db(), quoteId, ['received', 'finalized'], 'not_landed')).rejects.toThrow('finalized');
    expect((await launches.history(db(), quoteId)).map(({ state }) => state)).toEqual(['received']);
  });

  it('of 20 concurrent transitions from one state exactly one happens', async () => {
    const { quoteId } = await received();
    const moves = Array.from({ length: 20 }, (_, index) =>
      transitionLaunch(db(), quoteId, ['received'], index % 2 ? 'preparing' : 'not_landed'),
    );
    expect((await Promise.all(moves)).filter(Boolean)).toHaveLength(1);
    expect(await launches.history(db(), quoteId)).toHaveLength(2);
  });

  it('keep what was known and clear what a fork took back', async () => {
    const { quoteId, signature: submitted } = await received();
    await transitionLaunch(db(), quoteId, ['received'], 'landing', { paymentSignature: submitted });
    await transitionLaunch(db(), quoteId, ['landing'], 'resuming');
    expect(await launches.byQuoteId(db(), quoteId)).toMatchObject({ paymentSignature: submitted });
    await transitionLaunch(db(), quoteId, ['resuming'], 'landing');
    await transitionLaunch(db(), quoteId, ['landing'], 'not_landed', { paymentSignature: null, reason: 'fork' });
    expect(await launches.byQuoteId(db(), quoteId)).toMatchObject({ paymentSignature: null, reason: 'fork' });
    expect((await launches.signatures(db(), quoteId)).map(({ kind }) => kind)).toEqual(['alias']);
  });

  it('drop the logo once the launch is settled, and not before', async () => {
    const { quoteId } = await received();
    await transitionLaunch(db(), quoteId, ['received'], 'landing');
    expect(await launches.logo(db(), quoteId)).not.toBeNull();
    await transitionLaunch(db(), quoteId, ['landing'], 'not_landed');
    expect(await launches.logo(db(), quoteId)).toBeNull();
  });

  it('show what blocks a launch only while it needs recovery', async () => {
    const { quoteId } = await received();
    await transitionLaunch(db(), quoteId, ['received'], 'needs_recovery', { blockedReason: 'pool exists already' });
    expect(await launches.byQuoteId(db(), quoteId)).toMatchObject({ blockedReason: 'pool exists already' });
    await transitionLaunch(db(), quoteId, ['needs_recovery'], 'resuming');
    expect(await launches.byQuoteId(db(), quoteId)).toMatchObject({ blockedReason: null });
    expect((await launches.history(db(), quoteId))[1]).toMatchObject({ note: 'pool exists already' });
  });

  it('cannot take a signature of another launch as the one that landed', async () => {
    const [first, second] = [await received(), await received()];
    const stolen = transitionLaunch(db(), first.quoteId, ['received'], 'landing', {
      paymentSignature: second.signature,
    });
    await expect(stolen).rejects.toThrow(ContradictionError);
    expect(await launches.byQuoteId(db(), first.quoteId)).toMatchObject({ state: 'received', paymentSignature: null });
  });
});

describe('ledger', () => {
  async function completed(launchedAt: Date, creator: string, mode: LaunchMode = 'standard') {
    const fee = mode === 'standard' ? { mode, feeTier: '1%' as const } : { mode, rewardTaxBps: 100 as const };
    const terms = launchTerms({ creator, fee });
    await insertIntake(db(), intakeOf(terms));
    await bringTo(db(), terms.quoteId, 'recording');
    const recording = recordingOf(terms, { launchedAt });
    const token = { ...recording.token, mode, ...(mode === 'reward' && { feeTier: null, rewardTaxBps: 100 as const }) };
    await recordLaunch(db(), { ...recording, token });
    return { quoteId: terms.quoteId, mint: terms.addresses.mint };
  }

  const at = (minute: number) => new Date(Date.UTC(2026, 10, 21, 12, minute));
  const ids = (page: { launches: { quoteId: string }[] }) => page.launches.map(({ quoteId }) => quoteId);

  it('lists launches newest first, page by page, and says whether more follow', async () => {
    const creator = address();
    const oldest = await completed(at(1), creator);
    const newest = await completed(at(3), creator);
    const middle = await completed(at(2), creator);
    const first = await publicLedger.page(db(), { creator }, { page: 1, pageSize: 2 });
    expect([ids(first), first.hasMore]).toEqual([[newest.quoteId, middle.quoteId], true]);
    const second = await publicLedger.page(db(), { creator }, { page: 2, pageSize: 2 });
    expect([ids(second), second.hasMore]).toEqual([[oldest.quoteId], false]);
    expect(await publicLedger.count(db(), { creator })).toBe(3);
  });

  it('filters by mode and by time, the given moment included', async () => {
    const creator = address();
    const reward = await completed(at(1), creator, 'reward');
    const standard = await completed(at(2), creator);
    const page = { page: 1, pageSize: 25 };
    expect(ids(await publicLedger.page(db(), { creator, mode: 'reward' }, page))).toEqual([reward.quoteId]);
    expect(ids(await publicLedger.page(db(), { creator, since: at(2) }, page))).toEqual([standard.quoteId]);
  });

  it('shows only completed launches whose token is not withdrawn, hidden ones too', async () => {
    const creator = address();
    const [hidden, withdrawn] = [await completed(at(1), creator), await completed(at(2), creator)];
    await insertIntake(db(), intakeOf(launchTerms({ creator })));
    expect(await publicLedger.count(db(), { creator })).toBe(2);
    await tokens.setHidden(db(), hidden.mint, true, { actor: 'test' });
    await tokens.withdraw(db(), withdrawn.mint);
    const { launches: shown, hasMore } = await publicLedger.page(db(), { creator }, { page: 1, pageSize: 25 });
    expect([shown.map(({ mint }) => mint), hasMore]).toEqual([[hidden.mint], false]);
  });
});

describe('the janitor and operators', () => {
  it('find open launches that nothing touched, page by page, and no settled one', async () => {
    const [first, second, settled] = [await received(), await received(), await received()];
    await transitionLaunch(db(), settled.quoteId, ['received'], 'not_landed');
    const later = new Date(Date.now() + 60_000);
    const open = (await launches.open(db(), later, null, 1_000)).map(({ quoteId }) => quoteId);
    expect(open).toEqual(open.toSorted());
    expect(open).toEqual(expect.arrayContaining([first.quoteId, second.quoteId]));
    const after = (await launches.open(db(), later, open[0], 1_000)).map(({ quoteId }) => quoteId);
    expect(after).toEqual(open.slice(1));
    expect(open).not.toContain(settled.quoteId);
    expect(await launches.open(db(), new Date(Date.now() - 60_000))).toEqual([]);
  });

  it('find launches in need of recovery at once, others only when they take too long, however often they were tried', async () => {
    const [parked, busy] = [await received(), await received()];
    await transitionLaunch(db(), parked.quoteId, ['received'], 'needs_recovery', { blockedReason: 'why' });
    const stuck = async () =>
      (await launches.stuck(db(), new Date(Date.now() - 60_000), 1_000)).map(({ quoteId }) => quoteId);
    expect(await stuck()).toContain(parked.quoteId);
    expect(await stuck()).not.toContain(busy.quoteId);
    await sql`update launches set submitted_at = now() - interval '2 minutes', updated_at = now()
      where quote_id = ${busy.quoteId}`.execute(db());
    expect(await stuck()).toContain(busy.quoteId);
  });
});
