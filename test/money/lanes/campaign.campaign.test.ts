import { describe, expect, it } from 'vitest';
import { campaign } from '../../support/lanes/campaign.ts';

/** LANE_SEEDS=1,2,3 plays other rounds. */
const SEEDS = (process.env['LANE_SEEDS'] ?? '1,2,3').split(',').map(Number);

describe('outdated copies, forks, restores, late and repeated bytes, by chance', () => {
  it.each(SEEDS)('pay everybody once, with seed %i', async (seed) => {
    const report = await campaign(seed);
    if (process.env['LANE_REPORT'] === '1') console.log(seed, JSON.stringify(report));
    expect(report).toMatchObject({ done: 60, wrong: 0, most: 1 });
    expect(report.counts.restores).toBeGreaterThan(5);
  });

  it.each(['any-lane', 'no-step'] as const)('pay somebody twice where %s', async (fault) => {
    const reports = [await campaign(1, fault).catch(() => null), await campaign(2, fault).catch(() => null)];
    expect(reports.some((report) => (report?.most ?? 0) > 1)).toBe(true);
  });
});
