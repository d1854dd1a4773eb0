import { type Command, InvalidArgumentError } from 'commander';
import { type Alarm, runbookPageOf } from '../../../domain/alarms/alarm.ts';
import { type AlarmName, ALARM_NAMES, ALARMS } from '../../../domain/alarms/alarms.ts';
import { promqlOf } from '../../../domain/alarms/condition.ts';
import type { OpsIo } from '../../io.ts';
import { jsonOption, type OutputOptions } from '../../options.ts';
import { facts, print } from '../../output.ts';
import { leastSolOption } from './status/least-sol.ts';
import type { StatusLine } from './status/line.ts';
import { look } from './status/look.ts';

interface AlertOptions extends OutputOptions {
  readonly leastSol: bigint;
}

const HELP = `
Asks what "ops status" asks, and shows the lines of this alert. Without a name it lists all alerts.

Examples:
  npm run ops -- alert
  npm run ops -- alert SlipwayLaunchesOverdue`;

export function alertCommand(program: Command, io: OpsIo): void {
  program
    .command('alert')
    .description('explain an alert by its name: condition, meaning, what is so now, and the command to go on with')
    .argument('[name]', 'as the page names it', parseName)
    .addOption(leastSolOption())
    .addOption(jsonOption())
    .addHelpText('after', HELP)
    .action((name: AlarmName | undefined, options: AlertOptions) =>
      name === undefined ? listAll(io, options) : explain(io, name, options),
    );
}

function parseName(text: string): AlarmName {
  const wanted = text.toLowerCase();
  const name = ALARM_NAMES.find((one) => [wanted, `slipway${wanted}`].includes(one.toLowerCase()));
  if (name !== undefined) return name;
  throw new InvalidArgumentError('no alert has this name; "ops alert" lists them.');
}

function listAll(io: OpsIo, options: AlertOptions): void {
  const rows = ALARM_NAMES.map((name) => ({ alert: name, severity: ALARMS[name].severity, means: ALARMS[name].line }));
  print(io, options, { alerts: rows }, rows);
}

async function explain(io: OpsIo, name: AlarmName, { leastSol, ...options }: AlertOptions): Promise<void> {
  const alarm: Alarm = ALARMS[name];
  const { lines, notAsked } = await look(io, { now: new Date(), leastLamports: leastSol });
  const now = lines.filter(({ alert }) => alert === name);
  const { severity, line: means, command } = alarm;
  const chapter = `docs/${runbookPageOf(alarm.chapter)}#${alarm.chapter}`;
  const value = { alert: name, severity, means, condition: conditionOf(alarm), chapter, command, now, notAsked };
  const shown = facts({
    alert: `${name} (${severity})`,
    means,
    condition: value.condition,
    read: chapter,
    'go on with': command,
  });
  const missing = now.length === 0 ? notAsked.map((what) => `not checked: ${what}`) : [];
  print(io, options, value, [shown, textOf(now), ...missing].join('\n'));
}

function textOf(lines: readonly StatusLine[]): string {
  if (lines.length === 0) return 'now: nothing of it is seen';
  return lines.map(({ what, remedy }) => `now: ${what}\n  ${remedy}`).join('\n');
}

function conditionOf({ when, lasting }: Alarm): string {
  if (when.kind === 'status') return `only "ops status" sees it: ${when.why}`;
  return `${promqlOf(when)}${lasting === undefined ? '' : `, for ${lasting}`}`;
}
