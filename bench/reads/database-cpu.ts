import { readFileSync } from 'node:fs';
import { sql } from 'kysely';
import type { Db } from '../../db/connect.ts';

/** CPU time of the connections that are open, other than ours, ms; 0 where the system has no `/proc`. */
export async function databaseCpuMs(db: Db): Promise<number> {
  const { rows } = await sql<{ pid: number }>`
    select pid from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()`.execute(db);
  return rows.reduce((sum, { pid }) => sum + cpuMsOf(pid), 0);
}

function cpuMsOf(pid: number): number {
  try {
    // Nanoseconds on a CPU come first (proc_pid_schedstat).
    return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
  } catch {
    return 0;
  }
}
