import { sql } from 'kysely';
import type { Db } from '../connect.ts';

export interface ClockSkew {
  /** Database ahead of this machine, beyond the query's duration; negative if behind. */
  readonly ms: number;
  readonly askedMs: number;
}

export async function clockSkew(db: Db): Promise<ClockSkew> {
  const before = Date.now();
  const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(db);
  const after = Date.now();
  const theirs = rows[0]?.now.getTime() ?? 0;
  const ms = theirs > after ? theirs - after : Math.min(0, theirs - before);
  return { ms, askedMs: after - before };
}
