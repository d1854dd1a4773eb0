import type { WaitingCommits } from '../../../../db/platform/waiting-commits.ts';
import { duration } from '../../../output.ts';
import type { StatusLine } from './line.ts';

/** A standby answers within milliseconds; one that needs longer is away, in ms. */
const LONGEST_WAIT_MS = 5_000;

/** What a database's synchronous standby keeps from being confirmed: without it nothing is, and nothing ends the wait. */
export function standbyLines({ count, longestMs }: WaitingCommits): StatusLine[] {
  if (longestMs < LONGEST_WAIT_MS) return [];
  const what = `${count} commits wait for the synchronous standby, the longest for ${duration(longestMs)}: docs/deploy.md, "The standby"`;
  // The role of the service sees no states of standbys.
  const remedy = 'psql -h PRIMARY -U postgres -c "select application_name, state, sync_state from pg_stat_replication"';
  return [{ subject: 'database', is: 'waiting', what, remedy }];
}
