import type { DocumentedCheck, VerifyCommand } from './documented-check.ts';
import { table } from './table.ts';
import { VERIFY_CHECKS } from './verify-checks.ts';

type Column = readonly [title: string, cellOf: (check: DocumentedCheck) => string];

const codes = (words: readonly string[]): string => words.map((word) => `\`${word}\``).join(', ');

const COMMAND: Column = ['command', ({ commands }) => codes(commands)];
const CHECK: Column = ['check', ({ names, isAlwaysOpen }) => codes(names) + (isAlwaysOpen ? ' †' : '')];
const PROVEN: Column = ['proven', ({ proven }) => proven];
const OPEN: Column = ['open', ({ open = '' }) => open];

/** The checks of one command. */
export function checksText(command: VerifyCommand): string {
  const checks = checksOf([command]);
  return tableOf(checks, checks.some(({ open }) => open !== undefined) ? [CHECK, PROVEN, OPEN] : [CHECK, PROVEN]);
}

/** The checks of the commands that compare statements, some of which several have. */
export function statementChecksText(): string {
  return tableOf(checksOf(['statement', 'budget', 'treasury', 'revenue']), [COMMAND, CHECK, PROVEN, OPEN]);
}

function checksOf(commands: readonly VerifyCommand[]): readonly DocumentedCheck[] {
  return VERIFY_CHECKS.filter((check) => check.commands.some((command) => commands.includes(command)));
}

function tableOf(checks: readonly DocumentedCheck[], columns: readonly Column[]): string {
  return table(
    columns.map(([title]) => title),
    checks.map((check) => columns.map(([, cellOf]) => cellOf(check))),
  );
}
