import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Decision } from '../db/platform/switches.ts';
import { OpsError, type OpsIo } from './io.ts';

export interface OutputOptions {
  readonly json?: boolean;
}

export interface DecisionOptions extends OutputOptions {
  readonly actor?: string;
  readonly note?: string;
}

export const jsonOption = () => new Option('--json', 'print JSON for programs instead of a table');
export const actorOption = () =>
  new Option('--actor <name>', 'who does this, for the audit log (default: your OS user)');
export const noteOption = () => new Option('--note <text>', 'why, for the audit log');

/** Adds the options of a change that the audit log keeps. */
export function withDecisionOptions(command: Command): Command {
  return command.addOption(actorOption()).addOption(noteOption()).addOption(jsonOption());
}

export interface ConfirmedOptions extends DecisionOptions {
  readonly note: string;
  readonly yes?: boolean;
}

/** Adds the options of a change without a way back: a reason and a confirmation. */
export function withConfirmation(command: Command): Command {
  return command
    .requiredOption('--note <text>', 'why, for the audit log')
    .option('--yes', 'do it; without this the command says what it would do, and does nothing')
    .addOption(actorOption())
    .addOption(jsonOption());
}

/**
 * @param would the effect, as "would remove 12 free launch addresses"
 * @throws OpsError that says it, without `--yes`
 */
export function assertConfirmed({ yes }: { readonly yes?: boolean }, would: string): void {
  if (yes !== true) throw new OpsError(`this ${would}; nothing was done. Repeat it with --yes to do it`);
}

export function decisionOf(io: OpsIo, { actor, note }: DecisionOptions): Decision {
  return { actor: actor ?? io.user(), ...(note === undefined ? {} : { note }) };
}

/** Parses 1 to 9,999,999, else commander's usage error. */
export function parsePositive(text: string): number {
  if (/^[1-9]\d{0,6}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('it is not a whole number above 0.');
}
