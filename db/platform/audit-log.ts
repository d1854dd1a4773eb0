/** The log of decisions; it can only grow. */

import type { Selectable } from 'kysely';
import type { Db } from '../connect.ts';
import type { AuditLogTable } from '../schema/platform.ts';

/** Something that somebody decided. No secret belongs in it. */
export interface AuditEntry {
  /** Who: an operator's name, or the part of the platform. */
  readonly actor: string;
  /** What was done, for instance `switch.set`. */
  readonly action: string;
  /** What it was done to, as kind/id, for instance `launch/<quote id>`. */
  readonly subject: string;
  readonly note?: string;
  /** Further facts; must survive JSON. */
  readonly details?: Readonly<Record<string, unknown>>;
}

export type AuditRecord = Selectable<AuditLogTable>;

/** Writes an entry; call it in the transaction of what it tells of. */
export async function append(db: Db, { actor, action, subject, note, details }: AuditEntry): Promise<void> {
  await db
    .insertInto('auditLog')
    .values({ actor, action, subject, note, details: JSON.stringify(details ?? {}) })
    .execute();
}

/** What was done to one subject, newest first. */
export function ofSubject(db: Db, subject: string, limit = 100): Promise<AuditRecord[]> {
  const entries = db.selectFrom('auditLog').selectAll().where('subject', '=', subject);
  return entries.orderBy('id', 'desc').limit(limit).execute();
}
