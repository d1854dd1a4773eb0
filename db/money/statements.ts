/** Statements of pots and budgets: append only, written by triggers. */

import type { Selectable } from 'kysely';
import type { Db } from '../connect.ts';
import type { StatementRowTable } from '../schema/statements.ts';

export type StatementRow = Selectable<StatementRowTable>;

/** Lists rows after a number, oldest first. */
export function after(db: Db, account: string, number: number, limit: number): Promise<StatementRow[]> {
  return db
    .selectFrom('statementRows')
    .selectAll()
    .where('account', '=', account)
    .where('number', '>', number)
    .orderBy('number')
    .limit(limit)
    .execute();
}

/** A row by its number; null without one. */
export async function byNumber(db: Db, account: string, number: number): Promise<StatementRow | null> {
  const rows = db.selectFrom('statementRows').selectAll().where('account', '=', account).where('number', '=', number);
  return (await rows.executeTakeFirst()) ?? null;
}
