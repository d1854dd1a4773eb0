import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import * as claims from '../../db/claim/claims.ts';
import { discardNotLanded, discardUnusedAddresses, forgetUnpaidClients } from '../../db/launch/discard.ts';
import * as launchAddresses from '../../db/launch/launch-addresses.ts';
import { insertIntake } from '../../db/launch/launch-intake.ts';
import * as launches from '../../db/launch/launches.ts';
import * as findings from '../../db/money/findings.ts';
import { useDatabase } from '../support/db/use-database.ts';
import { launchedToken } from '../support/launch/launched-token.ts';
import { address, bringTo, intakeOf, launchTerms, signature } from '../support/launch/launch-rows.ts';

const { db } = useDatabase();

describe('rows that a stranger can make end', () => {
  it('addresses that a prepare took are kept for a day, those of a launch for ever', async () => {
    const rows = Array.from({ length: 3 }, () => launchTerms());
    await launchAddresses.addFree(
      db(),
      rows.map(({ quoteId, seedId, genesisHash, addresses }) => ({ quoteId, seedId, genesisHash, addresses })),
    );
    for (let taken = 0; taken < 3; taken++) await launchAddresses.takeOne(db(), {});
    const [launched, old, young] = rows;
    await insertIntake(db(), intakeOf(launched!));
    await db()
      .updateTable('launchAddresses')
      .set({ takenAt: sql<Date>`now() - interval '25 hours'` })
      .where('quoteId', '!=', young!.quoteId)
      .execute();
    expect(await discardUnusedAddresses(db())).toBe(1);
    const left = await Promise.all(rows.map(({ quoteId }) => launchAddresses.byQuoteId(db(), quoteId)));
    expect(left.map((row) => row?.quoteId)).toEqual([launched!.quoteId, undefined, young!.quoteId]);
    expect(old).toBeDefined();
  });

  it('launches that were never charged are kept for a month, with all that belongs to them, and longer while they differ from the chain', async () => {
    const [old, young, differing, open] = [launchTerms(), launchTerms(), launchTerms(), launchTerms()];
    for (const terms of [old, young, differing, open]) await insertIntake(db(), intakeOf(terms));
    for (const { quoteId } of [old, young, differing]) await bringTo(db(), quoteId, 'not_landed');
    await findings.replace(db(), [
      { kind: 'paid-unknown', subject: `launch/${differing.quoteId}`, books: 'not charged', chain: 'its mint' },
    ]);
    await db()
      .updateTable('launches')
      .set({ updatedAt: sql<Date>`now() - interval '31 days'` })
      .where('quoteId', '!=', young.quoteId)
      .execute();
    expect(await discardNotLanded(db())).toBe(1);
    expect(await launches.byQuoteId(db(), old.quoteId)).toBeNull();
    expect(await launches.history(db(), old.quoteId)).toEqual([]);
    expect((await launches.byQuoteId(db(), young.quoteId))?.state).toBe('not_landed');
    expect((await launches.byQuoteId(db(), differing.quoteId))?.state).toBe('not_landed');
    expect((await launches.byQuoteId(db(), open.quoteId))?.state).toBe('received');
  });

  it('network addresses of launches whose files nobody paid for are kept for a day, of others not', async () => {
    const ended = async (storedHoursAgo: number | null) => {
      const terms = launchTerms();
      await insertIntake(db(), { ...intakeOf(terms), client: '198.51.100.7' });
      const filesStoredAt = storedHoursAgo === null ? null : sql<Date>`now() - ${storedHoursAgo} * interval '1 hour'`;
      await db().updateTable('launches').set({ filesStoredAt }).where('quoteId', '=', terms.quoteId).execute();
      await bringTo(db(), terms.quoteId, 'not_landed');
      return terms.quoteId;
    };
    const quoteIds = [await ended(null), await ended(25), await ended(23)];
    const clients = async () => {
      const rows = await Promise.all(quoteIds.map((quoteId) => launches.byQuoteId(db(), quoteId)));
      return rows.map((row) => row?.client);
    };
    expect(await clients()).toEqual([null, '198.51.100.7', '198.51.100.7']);
    expect(await forgetUnpaidClients(db())).toBe(1);
    expect(await clients()).toEqual([null, null, '198.51.100.7']);
  });

  it('of a launch at most twenty aliases are kept, and one more changes nothing', async () => {
    const terms = launchTerms();
    await insertIntake(db(), intakeOf(terms));
    for (let alias = 0; alias < 25; alias++) {
      const { isNew, launch } = await insertIntake(db(), { ...intakeOf(terms), signature: signature() });
      expect([isNew, launch.quoteId]).toEqual([false, terms.quoteId]);
    }
    expect(await launches.signatures(db(), terms.quoteId)).toHaveLength(21);
  });

  it('expired claims of strangers are kept for an hour, those of the Fee Key’s holder for a week', async () => {
    const { mint } = await launchedToken(db());
    const intent = (intentId: string, holdsFeeKey: boolean, state: 'expired' | 'issued', age: string) =>
      db()
        .insertInto('claimIntents')
        .values({
          intentId,
          mint,
          wallet: address(),
          feeKeyMint: address(),
          nonceAccount: address(),
          nonce: address(),
          message: Buffer.of(1),
          baseRaw: 1n,
          quoteRaw: 1n,
          issuedSlot: 1n,
          holdsFeeKey,
          state,
          expiresAt: sql<Date>`now() + interval '1 second'`,
          settledAt: state === 'expired' ? sql<Date>`now() - ${age}::interval` : null,
        })
        .execute();
    const ids = Array.from({ length: 5 }, (_, index) => `00000000-0000-4000-8000-00000000000${index}`);
    await intent(ids[0]!, false, 'expired', '2 hours');
    await intent(ids[1]!, false, 'expired', '30 minutes');
    await intent(ids[2]!, true, 'expired', '6 days');
    await intent(ids[3]!, true, 'expired', '8 days');
    await intent(ids[4]!, false, 'issued', '0');
    expect(await claims.discardExpired(db())).toBe(2);
    const left = await Promise.all(ids.map((id) => claims.byId(db(), id)));
    expect(left.map((row) => row !== null)).toEqual([false, true, true, false, true]);
  });
});
