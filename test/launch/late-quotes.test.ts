import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { refuseIntake } from '../../db/launch/launch-intake.ts';
import * as lateQuotes from '../../db/launch/late-quotes.ts';
import { TooManyLateError } from '../../db/launch/late-quotes.ts';
import * as uncharged from '../../db/money/uncharged.ts';
import { useDatabase } from '../support/db/use-database.ts';
import { intakeOf, launchTerms } from '../support/launch/launch-rows.ts';

const { db } = useDatabase();
const LIMITS = { perClient: 3, inAll: 8 };

const refuse = (client: string, terms = launchTerms()) => refuseIntake(db(), { ...intakeOf(terms), client }, LIMITS);
const rows = async () => (await db().selectFrom('lateQuotes').selectAll().execute()).length;
const age = (minutes: number) =>
  sql`update late_quotes set refused_at = refused_at - make_interval(mins => ${minutes})`.execute(db());

beforeEach(() => db().deleteFrom('lateQuotes').execute());

describe('submits that come too late', () => {
  it('leave no launch, no terms, and nothing that the comparison of books and chain looks at', async () => {
    const terms = launchTerms();
    await refuse('203.0.113.1', terms);
    expect(await db().selectFrom('launches').select('quoteId').execute()).toEqual([]);
    expect(await lateQuotes.byQuoteId(db(), terms.quoteId)).toMatchObject({ client: '203.0.113.1' });
    await sql`update late_quotes set refused_at = now() - interval '23 hours'`.execute(db());
    expect(await uncharged.nextPage(db())).toEqual({ launches: [], looks: [] });
  });

  it('are bounded for each network address: the oldest give way, but none that could matter yet', async () => {
    for (let each = 0; each < 3; each++) await refuse('203.0.113.1');
    await expect(refuse('203.0.113.1')).rejects.toThrow(TooManyLateError);
    await refuse('203.0.113.2');
    expect(await rows()).toBe(4);
    await age(11);
    await refuse('203.0.113.1');
    expect(await rows()).toBe(2);
  });

  it('are bounded in all, from however many addresses they come', async () => {
    for (let each = 0; each < 8; each++) await refuse(`2001:db8:${each}::`);
    await expect(refuse('2001:db8:9::')).rejects.toThrow('8 late submits are kept already');
    await age(11);
    await refuse('2001:db8:9::');
    expect(await rows()).toBe(1);
  });

  it('of one quote keep five signatures, however many its wallet makes', async () => {
    const terms = launchTerms();
    for (let each = 0; each < 9; each++) await refuse('203.0.113.1', terms);
    expect(await rows()).toBe(5);
  });

  it('are kept for a day', async () => {
    await refuse('203.0.113.1');
    await age(23 * 60);
    expect(await lateQuotes.discardOld(db())).toBe(0);
    await age(61);
    expect(await lateQuotes.discardOld(db())).toBe(1);
  });
});
