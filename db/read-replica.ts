/** A standby that public reads may go to. */

import { sql } from 'kysely';
import type pg from 'pg';
import { type Db, dbOn } from './connect.ts';
import { withCallbacks } from './callback-client.ts';
import { errorText } from '../domain/error-text.ts';

/** How reads go to a standby. */
export interface ReadReplicaOptions {
  /** Where everything is that was ever confirmed. */
  readonly primary: pg.Pool;
  readonly replica: pg.Pool;
  /** Reads go to the standby while it has all that the primary had so long ago, ms. */
  readonly mostLagMs: number;
  /** How often both are asked how far they are, ms. */
  readonly everyMs: number;
  /** ms, of any clock that only goes on */
  readonly now?: () => number;
  /** Told when reads begin to go to the standby (null), and when not any more (why). */
  readonly onChange: (problem: string | null) => void;
}

/** Reads that go to a standby while it keeps up, and to the primary otherwise. */
export interface ReadReplica {
  /** Chooses anew for each connection that is taken. Ends with `close`. */
  readonly db: Db;
  /** Why reads go to the primary; null while they go to the standby. */
  problem(): string | null;
  /** Asks both at once how far they are, as happens every `everyMs`. */
  look(): Promise<void>;
  close(): Promise<void>;
}

/** Where a server was in its log. */
interface Position {
  readonly lsn: bigint;
  /** Two servers have the same one where one is a copy of the other. */
  readonly cluster: string;
  readonly isStandby: boolean;
}

/**
 * Opens it. Until both have answered once, reads go to the primary. How far the standby is behind is the age of the newest position of
 * the primary that it has come to: so a primary at which nothing happens is followed as far as there is something to follow, and a
 * standby that has lost its primary is behind as soon as something happens there.
 */
export function openReadReplica(options: ReadReplicaOptions): ReadReplica {
  const { primary, replica, everyMs, onChange } = options;
  const [ofPrimary, ofReplica] = [dbOn(withCallbacks(primary)), dbOn(withCallbacks(replica))];
  const reach = new Reach(options.mostLagMs, options.now ?? (() => performance.now()));
  let problem: string | null = 'the standby was not asked yet';
  const note = (found: string | null): void => {
    if (found !== problem) onChange(found);
    problem = found;
  };
  const look = async (): Promise<void> => {
    try {
      // The primary's position first: the standby's word of a later moment tells of it.
      const [ahead, askedAt] = [await positionOf(ofPrimary), reach.now()];
      note(reach.problemOf(ahead, askedAt, await positionOf(ofReplica)));
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

/** How far a standby is behind. */
class Reach {
  readonly #mostLagMs: number;
  readonly now: () => number;
  /** Positions of the primary that the standby had not come to when it was asked, oldest first. */
  #ahead: { readonly lsn: bigint; readonly at: number }[] = [];

  constructor(mostLagMs: number, now: () => number) {
    this.#mostLagMs = mostLagMs;
    this.now = now;
  }

  /** Why the standby is not to be read; null where it may be. */
  problemOf(primary: Position, askedAt: number, standby: Position): string | null {
    if (standby.cluster !== primary.cluster) return 'the standby is no copy of the primary';
    if (!standby.isStandby) return 'it takes writes, so it follows nobody';
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
