import { formatUnits, SOL_DECIMALS } from '../../../../domain/amounts.ts';

/** What a line is about, in the order in which a person should look: what everything rests on, who waits, what stops next. */
const SUBJECTS = [
  'database',
  'rpc',
  'temporal',
  'worker',
  'api',
  'block engine',
  'launch',
  'addresses',
  'sol',
  'claim',
  'books',
  'airdrop',
  'round',
  'inventory',
] as const;

/** Something that needs a person. */
export interface StatusLine {
  readonly subject: (typeof SUBJECTS)[number];
  readonly is: 'unreachable' | 'read-only' | 'waiting' | 'late' | 'low';
  /** Which one, and what of it. */
  readonly what: string;
  /** The command to go on with. */
  readonly remedy: string;
}

/** What was found, and what was not looked at because nobody said where it is. */
export interface Findings {
  readonly lines: readonly StatusLine[];
  readonly notAsked: readonly string[];
}

/** Lines in the order in which to act on them. */
export function sorted(lines: readonly StatusLine[]): StatusLine[] {
  return lines.toSorted((a, b) => SUBJECTS.indexOf(a.subject) - SUBJECTS.indexOf(b.subject));
}

/** The findings of several looks as one. */
export function together(findings: readonly Findings[]): Findings {
  return {
    lines: sorted(findings.flatMap(({ lines }) => lines)),
    notAsked: findings.flatMap(({ notAsked }) => notAsked),
  };
}

/** A command of this command line as a shell takes it. */
export function opsCommand(words: string): string {
  return `npm run ops -- ${words}`;
}

/** What says why a worker does not work, wherever it is to run. */
export const WORKER_REMEDY = opsCommand('doctor --of worker');

/** What gives a wallet so many lamports more. */
export function transferCommand(address: string, lamports: bigint): string {
  return `solana transfer ${address} ${formatUnits(lamports, SOL_DECIMALS)} --allow-unfunded-recipient`;
}
