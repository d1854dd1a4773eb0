import { InvalidArgumentError, Option } from 'commander';
import type { Decision } from '../db/platform/switches.ts';
import type { OpsIo } from './io.ts';

/** `--json`, which every command has. */
export interface OutputOptions {
  readonly json?: boolean;
}

/** Options of every command that changes something: it is audited with who did it and why. */
export interface DecisionOptions extends OutputOptions {
  readonly actor?: string;
  readonly note?: string;
}

export const jsonOption = () => new Option('--json', 'print JSON for programs instead of a table');
export const actorOption = () =>
  new Option('--actor <name>', 'who does this, for the audit log (default: your OS user)');
export const noteOption = () => new Option('--note <text>', 'why, for the audit log');

/** Who and why, as the audit log wants it. */
export function decisionOf(io: OpsIo, { actor, note }: DecisionOptions): Decision {
  return { actor: actor ?? io.user(), ...(note === undefined ? {} : { note }) };
}

/** Parses a whole number above 0 and below ten million. Throws what commander shows as wrong usage. */
export function parsePositive(text: string): number {
  if (/^[1-9]\d{0,6}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('it is not a whole number above 0.');
}
