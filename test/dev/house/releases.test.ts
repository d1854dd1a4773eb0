import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { appendFileSync, cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readReleases, releaseProblems, unreleasedFiles } from '../../../dev/house/releases.ts';

const PROJECT = join(import.meta.dirname, '../../..');

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'slipway-releases-'));
  cpSync(join(PROJECT, 'db'), join(root, 'db'), { recursive: true });
});
afterEach(() => rmSync(root, { recursive: true }));

describe('a released migration', () => {
  it('is as it was released, and may not change by a byte: the message says how a change is made', () => {
    expect(releaseProblems(root)).toEqual([]);
    appendFileSync(join(root, 'db/baseline/proof.ts'), ' ');
    rmSync(join(root, 'db/migrations/0001-baseline.ts'));
    expect(releaseProblems(root)).toEqual([
      expect.stringMatching(
        /^db\/baseline\/proof\.ts belongs to release 0\.1\.0 and has changed: .* a new file of db\/migrations$/,
      ),
      expect.stringMatching(/^db\/migrations\/0001-baseline\.ts belongs to release 0\.1\.0 and has changed: /),
    ]);
  });

  it('imports nothing that may change', () => {
    writeFileSync(join(root, 'db/migrations/0002-next.ts'), "export { isDiskFull } from '../errors.ts';\n");
    const files = unreleasedFiles(root);
    expect(Object.keys(files)).toEqual(expect.arrayContaining(['db/errors.ts', 'db/migrations/0002-next.ts']));
    const released = readReleases(root);
    const own = { 'db/migrations/0002-next.ts': files['db/migrations/0002-next.ts'] };
    const next = { version: '0.2.0', commit: '0'.repeat(40), files: own };
    writeFileSync(join(root, 'db/releases.json'), JSON.stringify([...released, next]));
    expect(releaseProblems(root)).toEqual([
      'db/migrations/0002-next.ts belongs to release 0.2.0 and imports db/errors.ts, which may change',
    ]);
  });

  it('is refused by "npm run check"', () => {
    const { scripts } = JSON.parse(readFileSync(join(PROJECT, 'package.json'), 'utf8')) as {
      scripts: Record<string, string>;
    };
    expect(scripts['check']).toContain('npm run releases');
    expect(scripts['releases']).toContain('dev/house/check-releases.ts');
  });
});

const git = (...args: string[]) => execFileSync('git', args, { cwd: PROJECT, stdio: ['ignore', 'pipe', 'ignore'] });

function hasCommit(commit: string): boolean {
  try {
    git('cat-file', '-e', `${commit}^{commit}`);
    return true;
  } catch {
    return false;
  }
}

describe.each(readReleases(PROJECT))('release $version', ({ version, commit, files }) => {
  it('is named by its commit in the changelog', () => {
    const [, text = ''] = readFileSync(join(PROJECT, 'CHANGELOG.md'), 'utf8').split(`## [${version}]`);
    expect(text.split('\n## ')[0]).toContain(`Commit \`${commit}\``);
  });

  it.skipIf(!hasCommit(commit))('has the bytes of its commit (skipped in a clone without history)', () => {
    for (const [path, hash] of Object.entries(files))
      expect(
        createHash('sha256')
          .update(git('show', `${commit}:${path}`))
          .digest('hex'),
        path,
      ).toBe(hash);
  });
});
