import type { Db } from '../connect.ts';
import { clockSkew } from './clock-skew.ts';
import { refusedWrites } from './refused-writes.ts';
import { waitingCommits } from './waiting-commits.ts';

export function databaseQuestions(db: Db) {
  return {
    refusedWrites: () => refusedWrites(db),
    waitingCommits: () => waitingCommits(db),
    clockSkewMs: async () => (await clockSkew(db)).ms,
  };
}
