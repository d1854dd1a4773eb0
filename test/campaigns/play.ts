import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');

/** What came of a campaign: the exit status of its test, and what it reported, one JSON document a line. */
export interface Played {
  readonly status: number;
  readonly report: string;
}

/** A campaign is a test: it gets its servers as every other test does. Its own words go to stderr. */
export async function play(file: string, variables: Record<string, string>): Promise<Played> {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-campaign-'));
  const path = join(folder, 'report.jsonl');
  try {
    const vitest = [
      join(ROOT, 'node_modules/vitest/vitest.mjs'),
      'run',
      '--config',
      'vitest.campaigns.config.ts',
      file,
    ];
    const child = spawn(process.execPath, vitest, {
      cwd: ROOT,
      env: { ...process.env, ...variables, CHAOS_REPORT: path },
      stdio: ['ignore', process.stderr, process.stderr],
    });
    await once(child, 'exit');
    return { status: child.exitCode ?? 1, report: readFileSync(path, { encoding: 'utf8', flag: 'a+' }) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
