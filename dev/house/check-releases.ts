/**
 * Refuses a changed migration of a release; `add VERSION COMMIT` notes a release.
 *
 * @example node_modules/.bin/node dev/house/check-releases.ts add 0.2.0 "$(git rev-parse HEAD)"
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readReleases, releaseProblems, RELEASES_FILE, unreleasedFiles } from './releases.ts';

const ROOT = join(import.meta.dirname, '../..');

const [command, version, commit] = process.argv.slice(2);
if (command === 'add' && version !== undefined && commit !== undefined) {
  const releases = [...readReleases(ROOT), { version, commit, files: unreleasedFiles(ROOT) }];
  writeFileSync(join(ROOT, RELEASES_FILE), `${JSON.stringify(releases, null, 2)}\n`);
}
const problems = releaseProblems(ROOT);
for (const problem of problems) process.stdout.write(`${problem}\n`);
process.exitCode = problems.length > 0 ? 1 : 0;
