import type { Condition } from './condition.ts';

/** Parts by urgency: what all depends on, who waits, what stops next. */
export const SUBJECTS = [
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
  'prices',
  'sol',
  'claim',
  'books',
  'airdrop',
  'round',
  'switches',
  'inventory',
  'market',
  'webhook',
  'events',
  'certificate',
  'backup',
  'monitoring',
] as const;

export type Subject = (typeof SUBJECTS)[number];

/** How a figure is written in a line. */
export type Unit = 'count' | 'seconds' | 'share';

/** Something that needs a person. Alert, line of `ops status`, `/readyz` and the runbook's list follow from it. */
export interface Alarm {
  readonly subject: Subject;
  /** `page` cannot wait for the morning; `ticket` can; `none` asks nothing of a person. */
  readonly severity: 'page' | 'ticket' | 'none';
  readonly when: Condition;
  /** How long the condition lasts before the alert fires, as `5m`; default: at once. */
  readonly lasting?: string;
  /** The fault, in words. `{value}` is the figure, other names in braces are labels of the condition. */
  readonly line: string;
  readonly unit?: Unit;
  /** The heading in the runbook, as its anchor: {@link runbookPageOf}. */
  readonly chapter: string;
  /** The command to go on with; labels in braces. */
  readonly command: string;
}

/** Chapters of docs/runbook-money.md. */
const OF_MONEY: ReadonlySet<string> = new Set([
  'airdrops',
  'books-and-chain',
  'inventory-and-restocks',
  'lanes',
  'launching-on-raydium',
  'rounds-of-money',
  'the-market-lags-or-stands-still',
  'the-suffix-of-mint-addresses',
]);

/** The page in docs that has the chapter. */
export function runbookPageOf(chapter: string): 'runbook.md' | 'runbook-money.md' {
  return OF_MONEY.has(chapter) ? 'runbook-money.md' : 'runbook.md';
}

const PLACE = /\{(\w+)\}/g;

/** Puts labels and the figure in a line or command. */
export function filledIn(
  text: string,
  labels: Readonly<Record<string, string>>,
  { value, unit = 'count' }: { readonly value: number; readonly unit?: Unit | undefined },
): string {
  const filled = text.replaceAll(PLACE, (_, name: string) =>
    name === 'value' ? FIGURE[unit](value) : (labels[name] ?? ''),
  );
  return withoutGaps(filled);
}

/** Closes the gaps that empty labels leave in a text. */
export function withoutGaps(text: string): string {
  return text.replaceAll(/ {2,}/g, ' ').replaceAll(' ,', ',').trim();
}

const FIGURE: Readonly<Record<Unit, (value: number) => string>> = {
  count: (value) => String(value),
  seconds: (value) =>
    value >= 3_600
      ? `${Math.floor(value / 3_600)} h`
      : value >= 120
        ? `${Math.floor(value / 60)} min`
        : `${Math.round(value)} s`,
  share: (value) => `${Math.floor(value * 100)} %`,
};

/** The same in Prometheus's templates. */
export function templateOf(text: string, unit: Unit = 'count'): string {
  return text.replaceAll(PLACE, (_, name: string) => (name === 'value' ? TEMPLATE[unit] : `{{ $labels.${name} }}`));
}

const TEMPLATE: Readonly<Record<Unit, string>> = {
  count: '{{ $value }}',
  seconds: '{{ $value | humanizeDuration }}',
  share: '{{ $value | humanizePercentage }}',
};
