import type { WaitingCommits } from '../../../../db/platform/waiting-commits.ts';
import { duration } from '../../../output.ts';
import type { StatusLine } from './line.ts';

/** A standby confirms within milliseconds. */
const LONGEST_WAIT_MS = 5_000;

/** Reports commits that wait: without the standby none is confirmed, and nothing ends the wait. */
export function standbyLines({ count, longestMs }: WaitingCommits): StatusLine[] {
  if (longestMs < LONGEST_WAIT_MS) return [];
  const what = `${count} commits wait for the synchronous standby, the longest for ${duration(longestMs)}: docs/deploy.md, "The standby"`;
  // The service's role cannot read standbys' states.
  const remedy = 'psql -h PRIMARY -U postgres -c "select application_name, state, sync_state from pg_stat_replication"';
  return [{ alert: 'SlipwayCommitsWait', subject: 'database', is: 'waiting', what, remedy }];
}
