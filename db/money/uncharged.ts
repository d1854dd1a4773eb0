/** For comparing records and chain, at several ages, page by page: none is skipped, and an idle system asks nothing. */

import { sql } from 'kysely';
import type { Db } from '../connect.ts';

export interface UnchargedLaunch {
  readonly quoteId: string;
  readonly launchWallet: string;
  readonly mint: string;
  readonly paymentLamports: bigint;
}

export interface UnchargedPage {
  readonly launches: readonly UnchargedLaunch[];
  readonly looks: readonly Look[];
}

interface Look {
  readonly ageSeconds: number;
  readonly endedAt: string;
  readonly quoteId: string;
}

type EndedLaunch = UnchargedLaunch & { readonly endedAt: string };

/**
 * Ages of an ended launch when it is compared, seconds: a node that lagged or lied has mostly recovered by the last.
 */
const AGES_SECONDS = [120, 3_600, 86_400] as const;

/** Launches of each age, per comparison. */
const PAGE = 1_000;

const COLUMNS = sql`terms->'addresses'->>'launchWallet' as launch_wallet, mint, payment_lamports`;

/** Oldest first, and those with an open finding. */
export async function nextPage(db: Db): Promise<UnchargedPage> {
  const due = await Promise.all(AGES_SECONDS.map((ageSeconds) => dueAt(db, ageSeconds)));
  const launches = [...(await found(db)), ...due.flatMap((page) => page.launches)];
  return {
    launches: [...new Map(launches.map((launch) => [launch.quoteId, launch])).values()],
    looks: due.flatMap(({ look }) => look ?? []),
  };
}

async function dueAt(db: Db, ageSeconds: number) {
  const { rows } = await sql<EndedLaunch>`
    with look as (
      select ended_at, quote_id from uncharged_looks where age_seconds = ${ageSeconds}
      union all select '-infinity', '00000000-0000-0000-0000-000000000000'
      order by ended_at desc limit 1
    )
    select launches.quote_id, ${COLUMNS}, updated_at::text as ended_at from launches cross join look
    where state = 'not_landed' and updated_at < now() - make_interval(secs => ${ageSeconds})
      and (updated_at, launches.quote_id) > (look.ended_at, look.quote_id)
    order by updated_at, launches.quote_id limit ${PAGE}`.execute(db);
  const last = rows.at(-1);
  // Text: a JavaScript Date lacks microseconds, and the row would stay due for ever.
  return { launches: rows, look: last ? { ageSeconds, endedAt: last.endedAt, quoteId: last.quoteId } : null };
}

async function found(db: Db): Promise<UnchargedLaunch[]> {
  const { rows } = await sql<UnchargedLaunch>`
    select quote_id, ${COLUMNS} from launches
    where state = 'not_landed' and 'launch/' || quote_id in (select subject from book_findings)
    limit ${PAGE}`.execute(db);
  return rows;
}

/** The next comparison continues after this page. */
export async function markCompared(db: Db, { looks }: UnchargedPage): Promise<void> {
  for (const { ageSeconds, endedAt, quoteId } of looks) {
    await sql`
      insert into uncharged_looks (age_seconds, ended_at, quote_id)
      values (${ageSeconds}, ${endedAt}::timestamptz, ${quoteId})
      on conflict (age_seconds) do update set ended_at = excluded.ended_at, quote_id = excluded.quote_id`.execute(db);
  }
}
