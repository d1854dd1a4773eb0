import { sql } from 'kysely';
import type pg from 'pg';
import { type Db, dbOn } from './connect.ts';
import { withCallbacks } from './callback-client.ts';
import { errorText } from '../domain/error-text.ts';

export interface ReadReplicaOptions {
  /** Has all that was ever confirmed. */
  readonly primary: pg.Pool;
  readonly replica: pg.Pool;
  /** Of a standby that serves reads. */
  readonly mostLagMs: number;
  /** Both positions are read so often. */
  readonly everyMs: number;
  /** Any monotonic clock. */
  readonly now?: () => number;
  /** Null when reads begin to use the standby, else why they stop. */
  readonly onChange: (problem: string | null) => void;
}

/** Reads from the standby while it keeps up; else from the primary. */
export interface ReadReplica {
  /** Per connection taken. Ends with `close`. */
  readonly db: Db;
  /** Null while they use the standby. */
  problem(): string | null;
  /** Now, as every `everyMs`. */
  look(): Promise<void>;
  close(): Promise<void>;
}

interface Position {
  readonly lsn: bigint;
  /** Equal for a server and its copies. */
  readonly cluster: string;
  readonly isStandby: boolean;
}

/**
 * Opens the replica. Until both have answered once, reads use the primary. The lag is the time since the oldest
 * primary position that the standby has not reached: an idle primary causes none, and a standby that lost its primary
 * lags as soon as that writes.
 */
export function openReadReplica(options: ReadReplicaOptions): ReadReplica {
  const { primary, replica, everyMs, onChange } = options;
  const [ofPrimary, ofReplica] = [dbOn(withCallbacks(primary)), dbOn(withCallbacks(replica))];
  const lag = new ReplicaLag(options.mostLagMs, options.now ?? (() => performance.now()));
  let problem: string | null = 'the standby was not asked yet';
  const note = (found: string | null): void => {
    if (found !== problem) onChange(found);
    problem = found;
  };
  const look = async (): Promise<void> => {
    try {
      // First: the standby's later position must cover it.
      const [ahead, askedAt] = [await positionOf(ofPrimary), lag.now()];
      note(lag.problemOf(ahead, askedAt, await positionOf(ofReplica)));
    } catch (error) {
      note(errorText(error));
    }
  };
  let last: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    last = last.then(look);
  }, everyMs);
  timer.unref();
  const connect = async () => {
    if (problem === null) {
      try {
        return await withCallbacks(replica).connect();
      } catch (error) {
        note(errorText(error));
      }
    }
    return withCallbacks(primary).connect();
  };
  return {
    db: dbOn({ connect, end: () => Promise.resolve() }),
    problem: () => problem,
    look,
    async close() {
      clearInterval(timer);
      await last;
      await replica.end();
    },
  };
}

class ReplicaLag {
  readonly #mostLagMs: number;
  readonly now: () => number;
  /** Not reached by the standby when last asked, oldest first. */
  #ahead: { readonly lsn: bigint; readonly at: number }[] = [];

  constructor(mostLagMs: number, now: () => number) {
    this.#mostLagMs = mostLagMs;
    this.now = now;
  }

  /** Null if it may serve reads. */
  problemOf(primary: Position, askedAt: number, standby: Position): string | null {
    if (standby.cluster !== primary.cluster) return 'the standby is no copy of the primary';
    if (!standby.isStandby) return 'it takes writes, so it is no standby';
    this.#ahead = [...this.#ahead, { lsn: primary.lsn, at: askedAt }].filter(({ lsn }) => lsn > standby.lsn);
    const lagMs = this.now() - (this.#ahead[0]?.at ?? this.now());
    return lagMs <= this.#mostLagMs ? null : `the standby is ${(lagMs / 1_000).toFixed(0)} s behind`;
  }
}

async function positionOf(db: Db): Promise<Position> {
  const { rows } = await sql<{ lsn: string; cluster: string; isStandby: boolean }>`
    select case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_lsn() end - '0/0'::pg_lsn as lsn,
      system_identifier::text as cluster, pg_is_in_recovery() as is_standby from pg_control_system()`.execute(db);
  const [row] = rows;
  if (!row) throw new Error('a server did not say how far it is');
  return { lsn: BigInt(row.lsn), cluster: row.cluster, isStandby: row.isStandby };
}
