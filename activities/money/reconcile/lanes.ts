import { agreedValue } from '../../../chain/lanes/lane-reading.ts';
import { numberOf } from '../../../chain/lanes/lane-secret.ts';
import * as laneChecks from '../../../db/money/lane-checks.ts';
import * as laneSteps from '../../../db/money/lane-steps.ts';
import * as laneRows from '../../../db/money/lanes.ts';
import type { Finding } from '../../../domain/money/finding.ts';
import type { ReconcileDeps } from './deps.ts';

/** Compares the lanes with two calls per endpoint, however many movements there were. */
export async function compareLanes({ db, rpc }: ReconcileDeps): Promise<Finding[]> {
  const mints = (await laneRows.all(db)).map(({ mint }) => mint);
  if (mints.length === 0) return [];
  const reading = await rpc.readLanes(mints);
  // After the chain, so that steps booked meanwhile are no difference.
  const rows = await laneRows.all(db);
  // The next start of a worker reads only the steps since.
  const broken = await laneChecks.check(db);
  return [...rows.flatMap((row) => findingOf(row, agreedValue(reading, row.mint))), ...broken.map(brokenOf)];
}

function findingOf({ lane, number, value }: laneRows.LaneRow, agreed: bigint | null): Finding[] {
  const [subject, books] = [`lane/${lane}`, `step ${number}, value ${value}`];
  if (agreed === null) return [{ kind: 'lane-undecided', subject, books, chain: 'no quorum' }];
  const chain = `step ${numberOf(agreed)}, value ${agreed}`;
  if (numberOf(agreed) > number) return [{ kind: 'lane-ahead', subject, books, chain }];
  return agreed === value ? [] : [{ kind: 'lane-below', subject, books, chain }];
}

/** A worker does not start on such a database. */
function brokenOf({ lane, number, reached }: laneChecks.BrokenLane): Finding {
  const [subject, chain] = [`steps/${lane}`, 'not asked'];
  return { kind: 'lane-broken', subject, books: `lane at step ${number}, steps up to ${reached}`, chain };
}

export async function findUnexplained({ db }: ReconcileDeps): Promise<Finding[]> {
  const steps = await laneSteps.unnamed(db);
  return steps.map(({ lane, number, signature, slot }) => ({
    kind: 'unexplained',
    subject: `step/${lane}/${number}`,
    books: 'no purpose',
    chain: `${signature} at slot ${slot}`,
  }));
}
