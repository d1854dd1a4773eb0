import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it, onTestFinished } from 'vitest';
import { samplesOf } from '../../domain/alarms/judge.ts';
import { processLines } from '../../ops/commands/platform/status/process-lines.ts';
import { linesOf } from '../../ops/commands/platform/status/page-lines.ts';
import { clockLines } from '../../ops/commands/platform/status/watch-lines.ts';
import { judgeArchive, watchBackupStamp } from '../../ops/commands/platform/watch/backups.ts';
import { watchCertificates } from '../../ops/commands/platform/watch/certificates.ts';
import { watchDisks } from '../../ops/commands/platform/watch/disks.ts';
import { startSilentServer } from '../support/ops/silent-server.ts';

const directory = mkdtempSync(join(tmpdir(), 'slipway-watch-'));
afterAll(() => rmSync(directory, { recursive: true }));

const NOW = new Date('2026-06-01T12:00:00Z');
const HOUR_MS = 3_600_000;

it('a base backup is late after a day and some hours, and where none was ever made', async () => {
  const stamp = join(directory, 'stamp');
  const watched = async () => (await watchBackupStamp(stamp, NOW)).remedy;
  expect(await watched()).toContain(stamp);
  writeFileSync(stamp, '');
  utimesSync(stamp, NOW, new Date(NOW.getTime() - 25 * HOUR_MS));
  expect(await watched()).toBeNull();
  utimesSync(stamp, NOW, new Date(NOW.getTime() - 27 * HOUR_MS));
  expect(await watched()).toContain(stamp);
});

it('an archive of WAL fails while its last failure is younger than its last success', () => {
  const [early, late] = [new Date(1_000), new Date(2_000)];
  expect(judgeArchive({ lastArchived: early, lastFailed: null }).remedy).toBeNull();
  expect(judgeArchive({ lastArchived: late, lastFailed: early }).remedy).toBeNull();
  expect(judgeArchive({ lastArchived: early, lastFailed: late }).remedy).toContain('archive_command');
  expect(judgeArchive({ lastArchived: null, lastFailed: late }).remedy).toContain('archive_command');
});

it('a store that is no directory takes no file, and one that is takes one and keeps none', async () => {
  const file = join(directory, 'file');
  writeFileSync(file, '');
  expect((await watchDisks(file)).map(({ subject, remedy }) => [subject, remedy !== null])).toEqual([
    ['storage', true],
    ['disk', expect.any(Boolean)],
  ]);
  const [store] = await watchDisks(join(directory, 'store'));
  expect(store).toMatchObject({ subject: 'storage', remedy: null });
});

it('a certificate that nobody shows is not known, and no verdict on it', async () => {
  const silent = await startSilentServer();
  silent.close();
  const place = { name: 'the site', at: new URL(`https://${silent.address}`) };
  expect(await watchCertificates([place], NOW)).toMatchObject([{ subject: 'certificate', isUnseen: true }]);
});

it('a clock is wrong by more than five seconds either way', () => {
  expect([0, 4_000, -4_000].flatMap((skewMs) => clockLines('a', skewMs))).toEqual([]);
  expect(clockLines('a', 90_000)[0]?.what).toBe("the clock of a is 90 s ahead of this machine's");
  expect(clockLines('a', -90_000)[0]?.what).toBe("the clock of a is 90 s behind this machine's");
});

it('a process whose clock is wrong says so by the date of its responses', async () => {
  const server = createServer((_, response) => {
    response.setHeader('date', new Date(Date.now() + 120_000).toUTCString());
    response.end();
  });
  // A server of the test's own.
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const lines = await processLines('worker', [`http://127.0.0.1:${port}`]);
  expect(lines).toMatchObject([{ subject: 'clock', is: 'wrong' }]);
});

const clockLinesOf = (page: string) => linesOf(samplesOf(page, 'http://worker:8081'), NOW);

it('clocks of dependencies that a worker sees are wrong beyond what the alert allows', () => {
  const page = 'slipway_temporal_clock_skew_seconds -95\nslipway_chain_clock_skew_seconds 121\n';
  expect(clockLinesOf(page).map(({ alert, is, what }) => [alert, is, what])).toEqual([
    ['SlipwayClocksDiffer', 'wrong', expect.stringContaining('by 95 s')],
    ['SlipwayClocksDiffer', 'wrong', expect.stringContaining('by 2 min')],
  ]);
});

it('a chain that shows no new block stands, and is no wrong clock', () => {
  const lines = clockLinesOf('slipway_chain_clock_skew_seconds -75\n');
  expect(lines.map(({ alert, subject, what }) => [alert, subject, what])).toEqual([
    ['SlipwayChainStands', 'rpc', expect.stringContaining('block is 75 s old')],
  ]);
});

it('clocks within what the alert allows, and pages without them, have no line', () => {
  const page = 'slipway_temporal_clock_skew_seconds -9\nslipway_chain_clock_skew_seconds -59\n';
  expect([page, ''].flatMap(clockLinesOf)).toEqual([]);
});
