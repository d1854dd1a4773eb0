import {
  type Condition,
  type KeptBelow,
  type LongAgo,
  OF_WORKERS,
  PROMISES_METRIC,
  READ,
  readValues,
  type Series,
  type SeriesBeyond,
  STARTED_AT,
} from './condition.ts';

type Labels = Readonly<Record<string, string>>;

/** One value of a metrics page; `instance` is a label, or several processes would be one. */
export interface Sample {
  readonly metric: string;
  readonly labels: Labels;
  readonly value: number;
}

export interface Met {
  readonly labels: Labels;
  readonly value: number;
}

const LINE = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/gm;
const LABEL = /(\w+)="((?:[^"\\]|\\.)*)"/g;

/** Reads a metrics page in Prometheus's text format. */
export function samplesOf(page: string, instance: string): Sample[] {
  return [...page.matchAll(LINE)].map(([, metric = '', text = '', value]) => ({
    metric,
    labels: { ...labelsIn(text), instance },
    value: Number(value?.replace('Inf', 'Infinity')),
  }));
}

function labelsIn(text: string): Record<string, string> {
  return Object.fromEntries([...text.matchAll(LABEL)].map(([, name = '', value = '']) => [name, value]));
}

/**
 * Returns where the condition holds at this moment by these samples, once for each set of its labels. A question
 * that only Prometheus or a check of `ops status` answers does not hold.
 *
 * @param nowSeconds Unix time
 */
export function judge(condition: Condition, samples: readonly Sample[], nowSeconds: number): Met[] {
  switch (condition.kind) {
    case 'series':
      return seriesMet(condition, samples, nowSeconds);
    case 'age':
      return ageMet(condition, samples, nowSeconds);
    case 'kept':
      return keptMet(condition, samples);
    case 'any':
      return condition.of.flatMap((one) => judge(one, samples, nowSeconds));
    case 'both': {
      const [first, second] = condition.of.map((one) => seriesMet(one, samples, nowSeconds));
      return second?.length === 0 ? [] : (first ?? []);
    }
    case 'query':
    case 'status':
    case 'always':
      return [];
  }
}

function seriesMet(series: SeriesBeyond, samples: readonly Sample[], nowSeconds: number): Met[] {
  const { read, above = Infinity, below = -Infinity } = series;
  const fresh = samples.filter((sample) => isFresh(series, sample, samples, nowSeconds));
  const values = read === undefined ? fresh : fresh.map((one) => ({ ...one, value: READ[read].of(one.value) }));
  return reduced(series, values).filter(({ value }) => value > above || value < below);
}

function ageMet({ metric, above }: LongAgo, samples: readonly Sample[], nowSeconds: number): Met[] {
  const known = reduced({ metric, reduce: 'max' }, samples);
  const since = known.length > 0 ? known : reduced({ metric: STARTED_AT, reduce: 'min' }, samples.filter(isOfWorker));
  return since.map(({ labels, value }) => ({ labels, value: nowSeconds - value })).filter(({ value }) => value > above);

  function isOfWorker({ labels }: Sample): boolean {
    return samples.some((one) => one.metric === OF_WORKERS && one.labels['instance'] === labels['instance']);
  }
}

function isFresh({ whileFresh }: SeriesBeyond, { labels }: Sample, samples: readonly Sample[], nowSeconds: number) {
  if (whileFresh === undefined) return true;
  const { metric, seconds } = whileFresh;
  return samples.some(
    (one) => one.metric === metric && one.labels['instance'] === labels['instance'] && nowSeconds - one.value < seconds,
  );
}

function reduced({ metric, where = {}, by = [], reduce }: Series, samples: readonly Sample[]): Met[] {
  const matching = samples.filter((one) => one.metric === metric && matches(where, one.labels));
  const groups = Map.groupBy(matching, ({ labels }) => JSON.stringify(by.map((name) => labels[name] ?? '')));
  return [...groups.values()].map((group) => ({
    labels: Object.fromEntries(by.map((name) => [name, group[0]?.labels[name] ?? ''])),
    value: REDUCE[reduce](group.map(({ value }) => value)),
  }));
}

const REDUCE: Readonly<Record<Series['reduce'], (values: readonly number[]) => number>> = {
  max: (values) => Math.max(...values),
  min: (values) => Math.min(...values),
  sum: (values) => values.reduce((sum, value) => sum + value, 0),
};

function matches(where: NonNullable<Series['where']>, labels: Labels): boolean {
  return Object.entries(where).every(([name, values]) => {
    const { listed, isNot } = readValues(values);
    return listed.some((value) => new RegExp(`^(?:${value})$`).test(labels[name] ?? '')) !== isNot;
  });
}

function keptMet({ class: name, share, leastBroken, reduce }: KeptBelow, samples: readonly Sample[]): Met[] {
  const byOutcome = { metric: PROMISES_METRIC, where: { class: [name] }, by: ['outcome'], reduce } as const;
  const counts = new Map(reduced(byOutcome, samples).map(({ labels, value }) => [labels['outcome'], value]));
  const countOf = (outcome: string) => counts.get(outcome) ?? 0;
  const broken = countOf('refused') + countOf('unknown');
  const kept = countOf('kept') / (countOf('kept') + broken);
  return broken >= leastBroken && kept < share ? [{ labels: {}, value: kept }] : [];
}
