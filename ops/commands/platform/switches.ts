import type { Command } from 'commander';
import type { Db } from '../../../db/connect.ts';
import * as switches from '../../../db/platform/switches.ts';
import type { Decision, SwitchRecord } from '../../../db/platform/switches.ts';
import { SWITCH_VALUES } from '../../../domain/switches.ts';
import { withDatabase } from '../../database.ts';
import { OpsError, type OpsIo } from '../../io.ts';
import {
  actorOption,
  type DecisionOptions,
  decisionOf,
  jsonOption,
  noteOption,
  type OutputOptions,
} from '../../options.ts';
import { print, type Row } from '../../output.ts';

const NAMES = Object.entries(SWITCH_VALUES)
  .map(([name, values]) => `  ${name}: ${values.join(', ')}`)
  .join('\n');

/** Applied within a second. */
export function switchesCommand(program: Command, io: OpsIo): void {
  const command = program
    .command('switches')
    .description('show the switches; `switches set` changes one')
    .addOption(jsonOption())
    .action((options: OutputOptions) => show(io, options));
  command
    .command('set')
    .description('set a switch; the API follows within about a second')
    .argument('<name>', 'name of the switch')
    .argument('<value>', 'its new value')
    .addOption(actorOption())
    .addOption(noteOption())
    .addOption(jsonOption())
    .addHelpText('after', `\nSwitches and their values:\n${NAMES}`)
    .action((name: string, value: string, _options: DecisionOptions, self: Command) =>
      set(io, name, value, self.optsWithGlobals<DecisionOptions>()),
    );
}

function show(io: OpsIo, options: OutputOptions): Promise<void> {
  return withDatabase(io, async (db) => {
    const records = await switches.list(db);
    print(io, options, { switches: records }, records.map(toRow));
  });
}

function set(io: OpsIo, name: string, value: string, options: DecisionOptions): Promise<void> {
  return withDatabase(io, async (db) => {
    const record = await trySet(db, name, value, decisionOf(io, options));
    print(io, options, { switch: record }, `${name} is ${value}`);
  });
}

/** An unknown one is the operator's mistake, no crash. */
async function trySet(db: Db, name: string, value: string, decision: Decision): Promise<SwitchRecord> {
  try {
    return await switches.set(db, name, value, decision);
  } catch (error) {
    throw error instanceof RangeError ? new OpsError(error.message, { cause: error }) : error;
  }
}

function toRow({ name, value, changedBy, changedAt }: SwitchRecord): Row {
  return { switch: name, value, 'changed by': changedBy, at: changedAt };
}
