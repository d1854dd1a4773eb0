import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { expectFiring, firingOf, only, type Scrape } from '../../support/deploy/scrape.ts';
import { onPath } from '../../support/on-path.ts';
import { eventually } from '../../support/platform/eventually.ts';
import { type RealStack, startRealStack } from '../chaos/processes/real-stack.ts';
import { clockAhead, clockOfCAhead, COMPILER } from './shifted-clocks.ts';
import { fullDiskAt, fullDiskUnder, MAY_MOUNT } from './small-disk.ts';
import { slowClients } from './slow-clients.ts';
import { ended, freeze, restartedWith, scrapeAll, statusOf } from './watched-parts.ts';

/** Alerts that speak of a part, and of nothing else: none of them fires where all is well. */
const ALERTS = [
  'SlipwayDown',
  'SlipwayDependencyDown',
  'SlipwayClocksDiffer',
  'SlipwayDiskFull',
  'SlipwayDatabaseRefuses',
];

/** What befalls one part, which alert must fire, what must be on the page, and what `ops status` must say. */
interface Fault {
  readonly name: string;
  readonly alerts: readonly string[];
  /** Series of which at least one must be on the page. */
  readonly series: RegExp;
  readonly line: string;
  readonly variables?: () => Record<string, string>;
  /** The answer undoes it. */
  readonly befall: () => (() => void) | Promise<() => void | Promise<void>>;
}

const down = (dependency: string) =>
  new RegExp(`^slipway_dependency_up\\{.*"${dependency}",endpoint="[^"]*"\\} 0$`, 'm');
const promtool = onPath('promtool');

let stack: RealStack;
let storeDirectory: string;
let endSlowClients: () => void;
beforeAll(async () => {
  stack = await startRealStack();
  storeDirectory = stack.stack.specOf('worker')?.env['STORE_DIR'] ?? '';
  endSlowClients = slowClients([stack.stack.siteUrl]);
});
afterAll(async () => {
  endSlowClients();
  await stack.close();
});

const FROZEN: readonly Fault[] = [
  ['postgres', 'SlipwayDependencyDown', down('database'), 'unreachable database'] as const,
  ['temporal', 'SlipwayDependencyDown', down('temporal'), 'unreachable temporal'] as const,
  ['localnet', 'SlipwayDependencyDown', down('rpc'), 'unreachable rpc'] as const,
  ['block-engine', 'SlipwayDependencyDown', down('block_engine'), 'unreachable block engine'] as const,
  ['worker', 'SlipwayDown', /^up\{job="slipway-worker"\} 0$/m, 'unreachable worker'] as const,
  ['api', 'SlipwayDown', /^up\{job="slipway-api"\} 0$/m, 'unreachable api'] as const,
].map(([part, alert, series, line]) => ({
  name: `${part} that is frozen`,
  alerts: [alert],
  series,
  line,
  befall: () => freeze(stack, part),
}));

const OTHERS: readonly Fault[] = [
  {
    name: 'block-engine that has ended',
    alerts: ['SlipwayDependencyDown'],
    series: down('block_engine'),
    line: 'unreachable block engine',
    befall: () => ended(stack, 'block-engine'),
  },
  {
    name: 'worker whose clock is two minutes ahead',
    alerts: ['SlipwayClocksDiffer'],
    series: /^slipway_database_clock_skew_seconds\{job="slipway-worker"\} -1[12]\d/m,
    line: 'wrong clock',
    befall: () => restartedWith(stack, 'worker', clockAhead(stack, 120_000)),
  },
  {
    name: 'API whose clock is two minutes ahead',
    alerts: ['SlipwayClocksDiffer'],
    series: /^slipway_database_clock_skew_seconds\{job="slipway-api"\} -1[12]\d/m,
    line: 'wrong clock',
    befall: () => restartedWith(stack, 'api', clockAhead(stack, 120_000)),
  },
  {
    name: 'local chain whose clock is two minutes ahead',
    alerts: ['SlipwayClocksDiffer'],
    series: /^slipway_chain_clock_skew_seconds\{job="slipway-worker"\} 1[12]\d/m,
    line: 'wrong clock',
    befall: () => restartedWith(stack, 'localnet', clockAhead(stack, 120_000)),
  },
];

/** What must be seen of a fault; `line` of `ops status` in words, or as a pattern where it depends on how far the fault went. */
type Told = Omit<Fault, 'befall' | 'name' | 'line'> & { readonly line: string | RegExp };

const textOf = (scraped: Scrape) => [...scraped].map(([series, value]) => `${series} ${value}`).join('\n');

/** Waits until the metrics and status show a fault that lasts, and expects its alerts. */
async function expectTold({ alerts, series, line, variables }: Told): Promise<void> {
  const shown = typeof line === 'string' ? new RegExp(`^${line}$`, 'm') : line;
  // A page lacks a figure that could not be read in time.
  const scraped = await eventually(async () => {
    const pages = await scrapeAll(stack);
    return series.test(textOf(pages)) ? pages : null;
  }, `the metric ${series}`);
  await eventually(
    async () => shown.test([...(await statusOf(stack, variables?.() ?? {}))].join('\n')) || null,
    `the line ${shown} of ops status`,
  );
  expect(await firingOf(promtool ?? '', scraped, ALERTS)).toEqual(expect.arrayContaining([...alerts]));
}

describe.skipIf(promtool === undefined || process.platform !== 'linux')(
  'a part of a running stack, beside slow clients (skipped without promtool on PATH)',
  () => {
    it('raises nothing while all is well', async () => {
      expect(await firingOf(promtool ?? '', await scrapeAll(stack), ALERTS)).toEqual([]);
    });

    it.each([...FROZEN, ...OTHERS])('$name raises $alerts and is named by ops status', async ({ befall, ...fault }) => {
      const undo = await befall();
      try {
        await expectTold(fault);
      } finally {
        await undo();
      }
    });

    it.skipIf(COMPILER === undefined)(
      'a PostgreSQL whose clock is two minutes ahead raises an alert and is named by ops status (skipped without cc on PATH)',
      async () => {
        const undo = await restartedWith(stack, 'postgres', clockOfCAhead(stack, 120));
        try {
          const series = /^slipway_database_clock_skew_seconds\{job="slipway-worker"\} 1[12]\d/m;
          await expectTold({ alerts: ['SlipwayClocksDiffer'], series, line: 'wrong clock' });
        } finally {
          await undo();
        }
      },
    );

    describe.skipIf(!MAY_MOUNT)('a full disk (skipped where this user may mount none)', () => {
      it('of the store raises two alerts and is named by ops status', async () => {
        onTestFinished(fullDiskAt(storeDirectory));
        const variables = () => ({ STORE_DIR: storeDirectory });
        const alerts = ['SlipwayDependencyDown', 'SlipwayDiskFull'];
        await expectTold({ alerts, series: down('storage'), line: 'unreachable storage', variables });
        await expectTold({ alerts, series: /disk="storage"\} 0$/m, line: 'unreachable storage', variables });
      });

      it('of PostgreSQL raises two alerts and is named by ops status', async () => {
        const makeRoom = await fullDiskUnder(stack, 'postgres', stack.layout.postgres);
        try {
          const alerts = ['SlipwayDependencyDown', 'SlipwayDatabaseRefuses'];
          await expectTold({ alerts, series: down('database'), line: /^(read-only|unreachable) database$/m });
        } finally {
          await makeRoom();
        }
      });

      it('of Temporal raises an alert, because requests fail, and is named by ops status', async () => {
        const makeRoom = await fullDiskUnder(stack, 'temporal', stack.layout.temporal);
        try {
          const [before, after] = await failuresOfTemporal();
          await expectFiring(promtool ?? '', [before, after], ['SlipwayTemporalFailing']);
          expect([...(await statusOf(stack, {}))]).toContain('unreachable temporal');
        } finally {
          await makeRoom();
        }
      });
    });
  },
);

/** Counts of Temporal's requests, before and after a number of them failed. */
async function failuresOfTemporal(): Promise<[Scrape, Scrape]> {
  const names = ['up', 'temporal_request_total', 'temporal_request_failure_total', 'slipway_temporal_metrics_up'];
  const counts = async () => only(names, await scrapeAll(stack));
  const failed = (counted: Scrape) =>
    [...counted].reduce((sum, [series, value]) => (/failure.*UNAVAILABLE/.test(series) ? sum + value : sum), 0);
  const before = await eventually(async () => {
    const counted = await counts();
    return failed(counted) > 0 ? counted : null;
  }, 'requests that a full Temporal refuses');
  const after = await eventually(async () => {
    const counted = await counts();
    return failed(counted) > failed(before) + 20 ? counted : null;
  }, 'more of them');
  // A counter is on the page once it counted: before, it was 0.
  const none = [...after].map(([series]) => [series, 0] as const);
  return [new Map([...none, ...before]), after];
}
