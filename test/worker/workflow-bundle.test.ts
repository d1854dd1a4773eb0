import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cachedWorkflowBundle } from '../../worker/workflow-bundle.ts';

const logger = pino({ level: 'silent' });
let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'slipway-bundle-'));
});
afterAll(() => rm(directory, { recursive: true }));

describe('the workflow bundle', () => {
  it('holds the workflows, and is built once for the same sources', async () => {
    await writeFile(join(directory, 'workflow-bundle-0123.js'), 'of other sources');
    const built = await cachedWorkflowBundle(directory, logger);
    expect('code' in built && built.code).toContain('openLaunch');
    const names = await readdir(directory);
    expect(names).toEqual([expect.stringMatching(/^workflow-bundle-[0-9a-f]{32}\.js$/)]);

    const path = join(directory, names[0]!);
    const { mtimeMs } = await stat(path);
    const cached = await cachedWorkflowBundle(directory, logger);
    expect((await stat(path)).mtimeMs).toBe(mtimeMs);
    expect(cached).toEqual({ code: await readFile(path, 'utf8') });
  });

  it('with traces lies beside the one without', async () => {
    const [plain, traced] = [
      await cachedWorkflowBundle(directory, logger),
      await cachedWorkflowBundle(directory, logger, 'traced'),
    ];
    expect(traced).not.toEqual(plain);
    expect(await cachedWorkflowBundle(directory, logger)).toEqual(plain);
    expect(await readdir(directory)).toHaveLength(2);
  });
});
