import { expect, it } from 'vitest';
import { createNeeds } from '../../observe/needs.ts';
import { createRecentCounts } from '../../observe/recent-counts.ts';
import { eventually } from '../support/platform/eventually.ts';

it('counts are kept for their window, and forgotten within a twentieth of it', () => {
  let now = 1_000_000;
  const recent = createRecentCounts(60_000, () => now);
  recent.add('kept');
  now += 30_000;
  recent.add('kept');
  recent.add('refused');
  expect([...recent.read()]).toEqual([
    ['kept', 2],
    ['refused', 1],
  ]);
  now += 34_000;
  expect(recent.read().get('kept')).toBe(1);
  now += 60_000;
  expect(recent.read().size).toBe(0);
});

it('what needs a person is told at once as it was last known, and read at most every 15 seconds', async () => {
  let now = 1_000_000;
  let reads = 0;
  const page = () => Promise.resolve(`slipway_free_launch_addresses ${(reads += 1) * 10}\n`);
  const needs = createNeeds(page, () => now);
  expect(needs()).toEqual([]);
  await eventually(() => Promise.resolve(needs().length > 0 || null), 'the page is read');
  expect(needs()).toMatchObject([{ alert: 'SlipwayAddressesLow', command: 'npm run ops -- doctor --of worker' }]);
  now += 14_000;
  needs();
  expect(reads).toBe(1);
  now += 2_000;
  needs();
  expect(reads).toBe(2);
});
