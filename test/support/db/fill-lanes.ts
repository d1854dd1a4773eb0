import { sql } from 'kysely';
import type { Db } from '../../../db/connect.ts';

const VALUE_OF_STEP = 1_099_511_627_776n;

/** Writes lanes 0 to `count` - 1 without a step. */
export async function fillLanes(db: Db, count: number): Promise<void> {
  await sql`
    insert into lanes (lane, mint, account, authority, seed_id)
    select lane, 'lane-mint-' || lane, 'lane-account-' || lane, 'lane-authority', 'seed-1'
    from generate_series(0, ${count - 1}::integer) as lane`.execute(db);
}

export interface LaneStepRange {
  readonly lanes: number;
  readonly from: number;
  readonly to: number;
}

/** Writes final steps of each lane, each from the value before it, and moves the lanes to the last. */
export async function fillLaneSteps(db: Db, { lanes, from, to }: LaneStepRange): Promise<void> {
  await sql`
    insert into lane_steps (lane, number, from_value, to_value, digest, purpose, state, signature, slot, settled_at)
    select lane, number, (number - 1) * ${VALUE_OF_STEP}::numeric, number * ${VALUE_OF_STEP}::numeric,
      decode(md5(lane || '/' || number) || md5(number || '/' || lane), 'hex'), 'payout/' || lane || '/' || number, 'done',
      md5(lane || '-' || number) || md5(number || '-' || lane), number, now()
    from generate_series(0, ${lanes - 1}::integer) as lane, generate_series(${from}::integer, ${to}::integer) as number`.execute(
    db,
  );
  await sql`
    update lanes set number = ${to}::integer, value = ${to}::integer * ${VALUE_OF_STEP}::numeric
    where lane < ${lanes}`.execute(db);
}
