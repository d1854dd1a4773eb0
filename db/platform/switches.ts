/** The platform's switches. */

import { type Selectable, sql } from 'kysely';
import {
  isSwitchName,
  isSwitchValue,
  SWITCH_VALUES,
  type SwitchName,
  type SwitchValue,
  type Switches,
} from '../../domain/switches.ts';
import * as auditLog from './audit-log.ts';
import { type Db, transaction } from '../connect.ts';
import type { SwitchTable } from '../schema/platform.ts';

/** A switch with who changed it last, and when. */
export type SwitchRecord = Selectable<SwitchTable>;

/** Who changes something, and why. */
export interface Decision {
  readonly actor: string;
  readonly note?: string;
}

/** Every switch with who changed it last, by name. */
export function list(db: Db): Promise<SwitchRecord[]> {
  return db.selectFrom('switches').selectAll().orderBy('name').execute();
}

/** The value of every switch. Throws when one is missing or has a value it cannot take. */
export async function read(db: Db): Promise<Switches> {
  const rows = await db.selectFrom('switches').select(['name', 'value']).execute();
  const values = new Map<string, string>(rows.map((row) => [row.name, row.value]));
  return {
    launching: valueOf(values, 'launching'),
    claiming: valueOf(values, 'claiming'),
    devBuys: valueOf(values, 'devBuys'),
    airdrops: valueOf(values, 'airdrops'),
    rewardLaunches: valueOf(values, 'rewardLaunches'),
  };
}

function valueOf<Name extends SwitchName>(values: ReadonlyMap<string, string>, name: Name): SwitchValue<Name> {
  const value = values.get(name);
  if (value === undefined) throw new Error(`switch "${name}" is missing in the database`);
  if (!isSwitchValue(name, value)) throw new Error(`switch "${name}" has the unknown value "${value}"`);
  return value;
}

/** Sets a switch and writes the audit log. Throws a RangeError on an unknown name or a value the switch cannot take. */
export function set(db: Db, name: string, value: string, { actor, note }: Decision): Promise<SwitchRecord> {
  if (!isSwitchName(name)) {
    throw new RangeError(`there is no switch "${name}", only ${Object.keys(SWITCH_VALUES).join(', ')}`);
  }
  if (!isSwitchValue(name, value)) {
    throw new RangeError(`switch "${name}" can be ${SWITCH_VALUES[name].join(' or ')}, not "${value}"`);
  }
  return transaction(db, async (tx) => {
    const row = await tx
      .updateTable('switches')
      .set({ value, changedBy: actor, changedAt: sql`now()` })
      .where('name', '=', name)
      .returningAll()
      .executeTakeFirstOrThrow();
    await auditLog.append(tx, { actor, action: 'switch.set', subject: `switch/${name}`, note, details: { value } });
    return row;
  });
}
