export const STAGES = ['observed', 'ordered', 'settled', 'written', 'figures'] as const;
export type Stage = (typeof STAGES)[number];

export interface StageFacts {
  /** Folder or file under `activities/market`. */
  readonly at: string;
  /** The type that it hands on. */
  readonly gives: string;
  /** At most two lines of a picture. */
  readonly does: readonly [string, string];
  readonly promises: string;
}

/** The way of a swap. `moveAlong` in `stages.ts` is the walk; the page and its picture are made from this list. */
export const LINE: Readonly<Record<Stage, StageFacts>> = {
  observed: {
    at: 'line/observed',
    gives: 'ReceivedTransaction',
    does: ['waits for block times,', 'notes what is missing'],
    promises:
      'Backpressure and restarts: a report is never believed, only remembered. A transaction waits for the time of its block; one that an account names and no report brought is missed. A backlog over 50,000 ends the stream, which resumes at the first unsettled slot. Where it cannot, there is a hole, and nothing settles until all pools were compared',
  },
  ordered: {
    at: 'line/ordered',
    gives: 'PoolStep',
    does: ['links vault balances,', 'drops what forks took'],
    promises:
      'Gaps: each transaction begins with the vault balance that the previous one left. A pool whose transactions do not link, or miss one, is read by RPC, from all endpoints at the second attempt. A swap that a fork took is withdrawn once a quorum proves it absent',
  },
  settled: {
    at: 'line/settled',
    gives: 'ProvenSpan',
    does: ['all of it, up to a', 'balance of a quorum'],
    promises:
      'Completeness: swaps are a pool’s only up to a finalized vault balance to which they lead, at a slot of a quorum, behind the source’s newest block and before the oldest missing transaction',
  },
  written: {
    at: 'line/written',
    gives: 'SwapRecord',
    does: ['rows and cursor in', 'one transaction'],
    promises:
      'Exactly once: a row is provisional until the cursor passes it, in the transaction that moves the cursor; then no writer changes it. The database writes its events with the row',
  },
  figures: {
    at: 'line/figures',
    gives: 'PoolStanding',
    does: ['price, cap, volume;', 'candles from the rows'],
    promises:
      'Figures follow the rows: each has the version of the swaps it was computed from, and a newer one makes it due. Candles and averages are read from the rows. A peak, graduation and spending need final swaps',
  },
};
