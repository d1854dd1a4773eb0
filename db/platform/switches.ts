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

export type SwitchRecord = Selectable<SwitchTable>;

export interface Decision {
  readonly actor: string;
  readonly note?: string;
}

export function list(db: Db): Promise<SwitchRecord[]> {
  return db.selectFrom('switches').selectAll().orderBy('name').execute();
}

/** @throws for a missing or invalid switch */
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

/**
 * Sets a switch, with the audit log.
 * @throws RangeError for an unknown name or invalid value
 */
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
