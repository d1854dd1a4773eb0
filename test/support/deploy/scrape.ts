import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { stringify } from 'yaml';

/** Values of series, by their names with labels as they stand on a page. */
export type Scrape = ReadonlyMap<string, number>;

/** When Prometheus gives up, in ms. */
const SCRAPE_TIMEOUT_MS = 10_000;

/** What Prometheus takes from a page, and `up` of the job: 0 where nothing answers. */
export async function scrape(job: string, url: string): Promise<Scrape> {
  const up = `up{job="${job}"}`;
  try {
    const text = await (await fetch(`${url}/metrics`, { signal: AbortSignal.timeout(SCRAPE_TIMEOUT_MS) })).text();
    const samples = [...text.matchAll(/^([a-z][^ #]*(?:\{.*\})?) (\S+)$/gm)];
    return new Map([[up, 1], ...samples.map(([, name = '', value]) => [name, Number(value)] as const)]);
  } catch (error) {
    if (error instanceof TypeError || (error instanceof DOMException && error.name === 'TimeoutError'))
      return new Map([[up, 0]]);
    throw error;
  }
}

/** The series of a scrape that have one of these names. */
export function only(names: readonly string[], scraped: Scrape): Scrape {
  return new Map([...scraped].filter(([series]) => names.includes(series.split('{', 1)[0] ?? '')));
}

const RULES = join(import.meta.dirname, '../../../deploy/prometheus/alerts.yml');

/** Half an hour, in which every alert has had its time. */
const MINUTES = 30;

/** A series in Prometheus's notation, or a query with what it must answer after half an hour. */
interface PromtoolTest {
  readonly interval: '1m';
  readonly input_series: readonly { readonly series: string; readonly values: string }[];
  readonly promql_expr_test: readonly {
    readonly expr: string;
    readonly eval_time: string;
    readonly exp_samples: readonly { readonly labels: string; readonly value: number }[];
  }[];
}

/**
 * Has promtool find out which alerts fire in the end, and throws where that is not these: after the first scrape came the
 * second, and all went on as between the two.
 */
export async function expectFiring(
  promtool: string,
  [first, second]: readonly [Scrape, Scrape],
  alerts: readonly string[],
): Promise<void> {
  // SlipwayAlarmsWork fires always, so that its absence is noticed.
  const firing = {
    expr: `group by (alertname) (ALERTS{alertname!="SlipwayAlarmsWork",alertstate="firing"})`,
    eval_time: `${MINUTES}m`,
  };
  const expected = alerts.map((alert) => ({ labels: `{alertname="${alert}"}`, value: 1 }));
  await evaluate(promtool, {
    interval: '1m',
    input_series: [...second].map(([name, value]) => ({ series: name, values: valuesOf(first.get(name), value) })),
    promql_expr_test: [{ ...firing, exp_samples: expected }],
  });
}

/** Which of these alerts fire where all stays for half an hour as it was scraped. */
export async function firingOf(promtool: string, scraped: Scrape, alerts: readonly string[]): Promise<string[]> {
  // A page has NaN where nothing was measured yet, for which promtool has no notation.
  const finite = [...scraped].filter(([, value]) => Number.isFinite(value));
  const found = await Promise.all(
    alerts.map(async (alert) => {
      const test = {
        interval: '1m',
        input_series: finite.map(([name, value]) => ({ series: name, values: valuesOf(value, value) })),
        promql_expr_test: [
          {
            expr: `count(ALERTS{alertname="${alert}",alertstate="firing"}) > bool 0`,
            eval_time: `${MINUTES}m`,
            exp_samples: [{ labels: '{}', value: 1 }],
          },
        ],
      } as const;
      return evaluate(promtool, test).then(
        () => [alert],
        (error: unknown) => (String(error).includes('got: nil') ? [] : Promise.reject(error as Error)),
      );
    }),
  );
  return found.flat();
}

/** The same scrape with the label of its job, as Prometheus adds it, so that those of several processes can be put together. */
export function withJob(job: string, scraped: Scrape): Scrape {
  const labelled = [...scraped].map(([series, value]) => {
    if (series.startsWith('up{')) return [series, value] as const;
    const [name = '', labels = ''] = series.split(/\{(.*)\}$/);
    return [`${name}{job="${job}"${labels && `,${labels}`}}`, value] as const;
  });
  return new Map(labelled);
}

/** Has promtool ask each query of what was scraped, and throws with those that answer nothing. Everything scraped goes on rising. */
export async function expectAnswers(promtool: string, scraped: Scrape, queries: readonly string[]): Promise<void> {
  await evaluate(promtool, {
    interval: '1m',
    input_series: [...scraped].map(([name, value]) => ({ series: name, values: valuesOf(value - 1, value) })),
    promql_expr_test: queries.map((query) => ({
      expr: `count(${query}) > bool 0`,
      eval_time: `${MINUTES}m`,
      exp_samples: [{ labels: '{}', value: 1 }],
    })),
  });
}

async function evaluate(promtool: string, test: PromtoolTest): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-alerts-'));
  try {
    const file = join(folder, 'test.yml');
    writeFileSync(file, stringify({ rule_files: [RULES], evaluation_interval: '1m', tests: [test] }));
    await promisify(execFile)(promtool, ['test', 'rules', file]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** In Prometheus's notation: a counter goes on as it began, anything else stays as it is. */
function valuesOf(first: number | undefined, second: number): string {
  const step = first === undefined || second <= first ? 0 : second - first;
  return `${second}+${step}x${MINUTES}`;
}
