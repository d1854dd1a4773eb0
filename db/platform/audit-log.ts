import type { Selectable } from 'kysely';
import type { Db } from '../connect.ts';
import type { AuditLogTable } from '../schema.ts';

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

export type AuditLogRepository = ReturnType<typeof createAuditLogRepository>;

/** The log of decisions; it can only grow. */
export function createAuditLogRepository(db: Db) {
  return {
    append: (entry: AuditEntry) => appendAudit(db, entry),
    /** What was done to one subject, newest first. */
    ofSubject: (subject: string, limit = 100) => ofSubject(db, subject, limit),
  };
}

/** Writes an entry; call it in the transaction of what it tells of. */
export async function appendAudit(db: Db, { actor, action, subject, note, details }: AuditEntry): Promise<void> {
  await db
    .insertInto('auditLog')
    .values({ actor, action, subject, note, details: JSON.stringify(details ?? {}) })
    .execute();
}

function ofSubject(db: Db, subject: string, limit: number): Promise<AuditRecord[]> {
  const entries = db.selectFrom('auditLog').selectAll().where('subject', '=', subject);
  return entries.orderBy('id', 'desc').limit(limit).execute();
}
