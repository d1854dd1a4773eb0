import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { insertIntake } from '../../../db/launch/launch-intake.ts';
import * as findings from '../../../db/money/findings.ts';
import * as uncharged from '../../../db/money/uncharged.ts';
import { useDatabase } from '../../support/db/use-database.ts';
import { bringTo, intakeOf, launchTerms } from '../../support/launch/launch-rows.ts';

const { db } = useDatabase();

beforeEach(async () => {
  for (const table of ['launches', 'uncharged_looks', 'book_findings'])
    await sql`delete from ${sql.table(table)}`.execute(db());
});

/** A launch that came to nothing so many minutes ago. */
async function notCharged(minutesAgo: number): Promise<string> {
  const terms = launchTerms();
  await insertIntake(db(), intakeOf(terms));
  await bringTo(db(), terms.quoteId, 'not_landed');
  await sql`
    update launches set updated_at = now() - make_interval(mins => ${minutesAgo}) where quote_id = ${terms.quoteId}`.execute(
    db(),
  );
  return terms.quoteId;
}

/** Copies of it that ended after it, in one moment. */
const multiply = (quoteId: string, copies: number) =>
  sql`
    insert into launches (quote_id, terms, state, seed_id, creator, mint, mode, quote_mint, name, symbol, payment_lamports,
      submitted_signature, submitted_wire, updated_at)
    select gen_random_uuid(), terms, state, seed_id, creator, mint || n, mode, quote_mint, name, symbol, payment_lamports,
      submitted_signature || n, submitted_wire, updated_at + interval '1 minute'
    from launches cross join generate_series(1, ${copies}) as n where quote_id = ${quoteId}`.execute(db());

/** One comparison; answers what it looks at. */
async function pass(): Promise<string[]> {
  const page = await uncharged.nextPage(db());
  await uncharged.markCompared(db(), page);
  return page.launches.map(({ quoteId }) => quoteId);
}

describe('launches that were not charged by the books', () => {
  it('are all looked at, however many there are, and then nothing is', async () => {
    const first = await notCharged(10);
    await multiply(first, 2_500);
    const passes = [await pass(), await pass(), await pass()];
    expect(passes.map((seen) => seen.length)).toEqual([1_000, 1_000, 501]);
    expect(passes[0]).toContain(first);
    expect(new Set(passes.flat()).size).toBe(2_501);
    expect(await pass()).toEqual([]);
  });

  it('are looked at after minutes, an hour and a day, and not before', async () => {
    const quoteId = await notCharged(1);
    const seenAt: number[] = [];
    for (const minutes of [1, 3, 59, 61, 23 * 60, 25 * 60]) {
      await sql`update launches set updated_at = now() - make_interval(mins => ${minutes})`.execute(db());
      // The moment at which it ended is moved here; where each look stands moves with it.
      await sql`update uncharged_looks set ended_at = (select updated_at from launches), quote_id = ${quoteId}`.execute(
        db(),
      );
      if ((await pass()).includes(quoteId)) seenAt.push(minutes);
    }
    expect(seenAt).toEqual([3, 61, 25 * 60]);
  });

  it('are looked at again and again while they differ from the chain', async () => {
    const quoteId = await notCharged(10);
    expect(await pass()).toEqual([quoteId]);
    expect(await pass()).toEqual([]);
    const finding = {
      kind: 'paid-unknown',
      subject: `launch/${quoteId}`,
      books: 'not charged',
      chain: 'its mint',
    } as const;
    await findings.replace(db(), [finding]);
    expect([await pass(), await pass()]).toEqual([[quoteId], [quoteId]]);
  });
});
