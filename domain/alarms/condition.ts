/** Values that a label must have, or must not have; each may be a pattern, as `account-.*`. */
export type LabelValues = readonly string[] | { readonly not: readonly string[] };

/** Series of the metrics pages, reduced to one value for each set of the kept labels. */
export interface Series {
  readonly metric: string;
  readonly where?: Readonly<Record<string, LabelValues>>;
  /** Kept labels; default none. */
  readonly by?: readonly string[];
  readonly reduce: 'max' | 'min' | 'sum';
}

/** How a value is read before it is reduced: in Prometheus's language, and here. */
export const READ = {
  size: { promql: (selected: string) => `abs(${selected})`, of: Math.abs },
  negated: { promql: (selected: string) => `-${selected}`, of: (value: number) => -value },
} as const;

interface Bounds {
  readonly above?: number;
  readonly below?: number;
}

/** A value of the pages beyond a limit. */
export interface SeriesBeyond extends Series, Bounds {
  readonly kind: 'series';
  /** `size`: without its sign; `negated`: with the other one. Default: as it is. */
  readonly read?: keyof typeof READ;
  /** Counts only series of processes whose series of this name is a time within the last `seconds`. */
  readonly whileFresh?: { readonly metric: TimeMetric; readonly seconds: number };
}

/** A Unix time. It has no series before its first time. */
export type TimeMetric = `${string}_timestamp_seconds`;

/** Seconds since a time of the workers; before the first one, since the start of the worker that has run longest. */
export interface LongAgo {
  readonly kind: 'age';
  readonly metric: TimeMetric;
  readonly above: number;
}

/** Kept promises of a class below a share, once a number of them is broken. */
export interface KeptBelow {
  readonly kind: 'kept';
  readonly class: string;
  readonly share: number;
  readonly leastBroken: number;
  /** `max`: every process counts the same rows. `sum`: each counts its own requests. */
  readonly reduce: 'max' | 'sum';
}

/** A question that only Prometheus answers: about its targets, or about a stretch of time. */
export interface Query {
  readonly kind: 'query';
  readonly promql: string;
}

export interface AnyOf {
  readonly kind: 'any';
  readonly of: readonly (SeriesBeyond | Query)[];
}

export interface Both {
  readonly kind: 'both';
  /** The value of the first is the value of both. Neither keeps labels. */
  readonly of: readonly [SeriesBeyond, SeriesBeyond];
}

/** A check of `ops status` alone. */
export interface StatusAlone {
  readonly kind: 'status';
  readonly why: string;
}

/** It always holds: its silence is the alarm. */
export interface Always {
  readonly kind: 'always';
}

export type Condition = SeriesBeyond | LongAgo | KeptBelow | Query | AnyOf | Both | StatusAlone | Always;

export const PROMISES_METRIC = 'slipway_promises';

/** When a process started; workers are those whose page has the second one. */
export const STARTED_AT = 'process_start_time_seconds';
export const OF_WORKERS = 'slipway_temporal_metrics_up';

/** Returns the condition in Prometheus's language; null for a check of `ops status` alone. */
export function promqlOf(condition: Condition): string | null {
  switch (condition.kind) {
    case 'series':
      return `${valueOf(condition)} ${limitOf(condition)}`;
    case 'age':
      return `time() - (max(${condition.metric}) or min(${STARTED_AT} and on (instance) ${OF_WORKERS})) > ${condition.above}`;
    case 'kept':
      return keptText(condition);
    case 'query':
      return condition.promql;
    case 'any':
      return condition.of.map((one) => promqlOf(one)).join(' or ');
    case 'both':
      return condition.of.map((one) => promqlOf(one)).join(' and ');
    case 'always':
      return 'vector(1)';
    case 'status':
      return null;
  }
}

function limitOf({ above, below }: Bounds): string {
  return above === undefined ? `< ${below}` : `> ${above}`;
}

function valueOf({ metric, where = {}, by = [], reduce, read, whileFresh }: SeriesBeyond): string {
  const selected = `${metric}${selectorOf(where)}`;
  const fresh = whileFresh && ` and on (instance) time() - ${whileFresh.metric} < ${whileFresh.seconds}`;
  const kept = by.length === 0 ? '' : ` by (${by.join(', ')}) `;
  const inner = `${read === undefined ? selected : READ[read].promql(selected)}${fresh ?? ''}`;
  return `${reduce}${kept}(${inner})`;
}

function selectorOf(where: NonNullable<Series['where']>): string {
  const parts = Object.entries(where).map(([label, values]) => {
    const { listed, isNot } = readValues(values);
    const text = listed.join('|');
    const operator = OPERATORS[/[|.*]/.test(text) ? 'pattern' : 'text'][isNot ? 'isNot' : 'is'];
    return `${label}${operator}"${text}"`;
  });
  return parts.length === 0 ? '' : `{${parts.join(',')}}`;
}

const OPERATORS = { pattern: { is: '=~', isNot: '!~' }, text: { is: '=', isNot: '!=' } } as const;

export function readValues(values: LabelValues): { readonly listed: readonly string[]; readonly isNot: boolean } {
  return 'not' in values ? { listed: values.not, isNot: true } : { listed: values, isNot: false };
}

function keptText({ class: name, share, leastBroken, reduce }: KeptBelow): string {
  const counted = (outcomes: string) =>
    `sum(${reduce} by (outcome) (${PROMISES_METRIC}{class="${name}",outcome=~"${outcomes}"}))`;
  return `${counted('kept')} / ${counted('kept|refused|unknown')} < ${share} and ${counted('refused|unknown')} >= ${leastBroken}`;
}
