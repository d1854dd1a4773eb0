import type { Db } from '../../../db/connect.ts';
import * as lanes from '../../../db/money/lanes.ts';
import { address } from '../launch/launch-rows.ts';

/** The ledger's row of a lane, which is made where it is missing. */
export async function laneRow(db: Db, lane: number): Promise<lanes.LaneRow> {
  const seed = { lane, mint: `mint-${lane}`, account: `account-${lane}`, authority: address(), seedId: 'seed-1' };
  await lanes.addMissing(db, [seed]);
  return lanes.one(db, lane);
}
