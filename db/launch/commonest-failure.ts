import { sql } from 'kysely';
import { SHORTAGE_PATTERN } from '../../domain/launch/shortage.ts';
import type { Db } from '../connect.ts';

export interface CommonFailure {
  /** Up to its first colon: what follows differs from launch to launch. */
  readonly reason: string;
  readonly count: number;
}

/** Returns the reason that most launches of the last minutes ended by which did not land; null without one. */
export async function commonestFailure(db: Db, minutes: number): Promise<CommonFailure | null> {
  const since = sql`now() - ${sql.lit(minutes)} * interval '1 minute'`;
  const { rows } = await sql<CommonFailure>`
    select reason, count(*)::int as count from (
      select split_part(reason, ':', 1) as reason from launches
      where submitted_at > ${since} and state = 'not_landed' and reason not like ${sql.lit(SHORTAGE_PATTERN)}
      union all
      select 'the quote came too late' from late_quotes where refused_at > ${since}
    ) as failed group by reason order by count desc limit 1`.execute(db);
  return rows[0] ?? null;
}
