import { formatUnits, SOL_DECIMALS } from '../../../../domain/amounts.ts';

/** Subjects by urgency: what all depends on, who waits, what stops next. */
const SUBJECTS = [
  'database',
  'rpc',
  'temporal',
  'worker',
  'api',
  'block engine',
  'storage',
  'disk',
  'clock',
  'launch',
  'addresses',
  'sol',
  'claim',
  'books',
  'airdrop',
  'round',
  'inventory',
  'certificate',
  'backup',
] as const;

export interface StatusLine {
  readonly subject: (typeof SUBJECTS)[number];
  readonly is: 'unreachable' | 'wrong' | 'read-only' | 'waiting' | 'late' | 'low';
  readonly what: string;
  readonly remedy: string;
}

export interface Findings {
  readonly lines: readonly StatusLine[];
  readonly notAsked: readonly string[];
}

export function sorted(lines: readonly StatusLine[]): StatusLine[] {
  return lines.toSorted((a, b) => SUBJECTS.indexOf(a.subject) - SUBJECTS.indexOf(b.subject));
}

export function together(findings: readonly Findings[]): Findings {
  return {
    lines: sorted(findings.flatMap(({ lines }) => lines)),
    notAsked: findings.flatMap(({ notAsked }) => notAsked),
  };
}

export function opsCommand(words: string): string {
  return `npm run ops -- ${words}`;
}

/** Why a worker does not work. */
export const WORKER_REMEDY = opsCommand('doctor --of worker');

/** Adds lamports. */
export function transferCommand(address: string, lamports: bigint): string {
  return `solana transfer ${address} ${formatUnits(lamports, SOL_DECIMALS)} --allow-unfunded-recipient`;
}
