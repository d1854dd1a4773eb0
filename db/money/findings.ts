/** Of the last comparison of records and chain. */

import { type Selectable, sql } from 'kysely';
import type { Finding } from '../../domain/money/finding.ts';
import { type Db, transaction } from '../connect.ts';
import type { BookFindingTable } from '../schema/reconcile.ts';

export type StandingFinding = Selectable<BookFindingTable>;

/** Returns the new ones; a repeated finding keeps its first time. */
export function replace(db: Db, findings: readonly Finding[]): Promise<Finding[]> {
  return transaction(db, async (tx) => {
    const known = new Set((await all(tx)).map(keyOf));
    await removeOthers(tx, findings);
    if (findings.length > 0) await upsert(tx, findings);
    await tx
      .insertInto('bookChecks')
      .values({ endedAt: sql`now()` })
      .onConflict((conflict) => conflict.column('singleton').doUpdateSet({ endedAt: sql`now()` }))
      .execute();
    return findings.filter((finding) => !known.has(keyOf(finding)));
  });
}

function keyOf({ kind, subject }: Pick<Finding, 'kind' | 'subject'>): string {
  return `${kind} ${subject}`;
}

async function removeOthers(tx: Db, findings: readonly Finding[]): Promise<void> {
  const keep = findings.map(keyOf);
  await sql`delete from book_findings where kind || ' ' || subject <> all(${keep}::text[])`.execute(tx);
}

async function upsert(tx: Db, findings: readonly Finding[]): Promise<void> {
  await tx
    .insertInto('bookFindings')
    .values(findings.map(({ kind, subject, books, chain }) => ({ kind, subject, books, chain })))
    .onConflict((conflict) =>
      conflict.columns(['kind', 'subject']).doUpdateSet((eb) => ({
        books: eb.ref('excluded.books'),
        chain: eb.ref('excluded.chain'),
        lastSeenAt: sql`now()`,
      })),
    )
    .execute();
}

/** Oldest first. */
export function all(db: Db): Promise<StandingFinding[]> {
  return db.selectFrom('bookFindings').selectAll().orderBy('firstSeenAt').orderBy('kind').orderBy('subject').execute();
}

/** Null before the first. */
export async function lastCheckAt(db: Db): Promise<Date | null> {
  return (await db.selectFrom('bookChecks').select('endedAt').executeTakeFirst())?.endedAt ?? null;
}

export async function forget(db: Db, subject: string): Promise<void> {
  await db.deleteFrom('bookFindings').where('subject', '=', subject).execute();
}
