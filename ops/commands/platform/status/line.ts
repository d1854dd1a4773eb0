import { type Subject, SUBJECTS } from '../../../../domain/alarms/alarm.ts';
import type { AlarmName } from '../../../../domain/alarms/alarms.ts';
import { formatUnits, SOL_DECIMALS } from '../../../../domain/amounts.ts';

export interface StatusLine {
  /** The alarm that pages for the same; `ops alert NAME` explains it. */
  readonly alert: AlarmName;
  readonly subject: Subject;
  readonly is: 'unreachable' | 'wrong' | 'read-only' | 'waiting' | 'late' | 'paused' | 'low' | 'failing';
  readonly what: string;
  readonly remedy: string;
}

export interface Findings {
  readonly lines: readonly StatusLine[];
  /** Checks that were not made, each with the variable that would make it. */
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

/** Services of temporal-docker-compose.yml. */
type Service = 'postgres' | 'temporal' | 'api' | 'worker';

/** Names how a part is started again; which of the ways applies depends on what runs it. */
export function restartOf(service: Service): string {
  return `restart ${service}: slipway-compose restart ${service} (docs/deploy.md), or your own way to start it`;
}

/** Adds lamports. */
export function transferCommand(address: string, lamports: bigint): string {
  return `solana transfer ${address} ${formatUnits(lamports, SOL_DECIMALS)} --allow-unfunded-recipient`;
}
