/** Append-only. */

import type { Selectable } from 'kysely';
import type { Db } from '../connect.ts';
import type { AuditLogTable } from '../schema/platform.ts';

/** An audit entry; must contain no secret. */
export interface AuditEntry {
  /** An operator's name, or a part of the platform. */
  readonly actor: string;
  /** As `switch.set`. */
  readonly action: string;
  /** Kind/id, as `launch/<quote id>`. */
  readonly subject: string;
  readonly note?: string;
  /** JSON. */
  readonly details?: Readonly<Record<string, unknown>>;
}

export type AuditRecord = Selectable<AuditLogTable>;

/** Appends an entry in the transaction of the change. */
export async function append(db: Db, { actor, action, subject, note, details }: AuditEntry): Promise<void> {
  await db
    .insertInto('auditLog')
    .values({ actor, action, subject, note, details: JSON.stringify(details ?? {}) })
    .execute();
}

/** Lists entries, newest first. */
export function ofSubject(db: Db, subject: string, limit = 100): Promise<AuditRecord[]> {
  const entries = db.selectFrom('auditLog').selectAll().where('subject', '=', subject);
  return entries.orderBy('id', 'desc').limit(limit).execute();
}
