import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { layOutImage } from '../../support/deploy/image.ts';
import { type PlantedBug, plantedBugs } from '../planted-bugs/planted-bug.ts';

/** A change that the release before could not replay: a timer between the first two steps of a launch. */
const WORKFLOW = 'workflows/launch/launch.ts';
const OPENED = '    board.show(await steps.openLaunch(quoteId));\n';
const CHANGED = `${OPENED}    await condition(() => false, '100 milliseconds');\n`;

/** What is added to the database under the release before, which does not look at it. */
const MIGRATION = `import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql\`
    alter table launches add column drill_note text default 'drill';
    create table drills (id bigint generated always as identity primary key);
    create index launches_by_drill_note on launches (drill_note, quote_id);
  \`.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql\`drop table drills; drop index launches_by_drill_note; alter table launches drop column drill_note;\`.execute(db);
}
`;

const PLANTED_BUGS = join(import.meta.dirname, '../planted-bugs');

/**
 * Puts the release after this checkout into an empty folder: a changed workflow, bundled as where an image is built, and a
 * migration that expands the schema; with a planted bug, where one is named.
 */
export async function layOutNextRelease(directory: string, planted: string): Promise<void> {
  layOutImage(directory);
  if (planted !== '') await promisify(execFile)('git', ['apply', bugNamed(planted).patchFile], { cwd: directory });
  const workflow = join(directory, WORKFLOW);
  const text = readFileSync(workflow, 'utf8');
  const changed = text.replace(OPENED, CHANGED);
  if (text === changed) throw new Error(`${WORKFLOW} does not say ${OPENED.trim()}: the drill cannot change it`);
  writeFileSync(workflow, changed);
  writeFileSync(join(directory, 'db/migrations/9999-expand-drill.ts'), MIGRATION);
  await promisify(execFile)(process.execPath, [join(directory, 'worker/write-bundle.ts')]);
}

function bugNamed(name: string): PlantedBug {
  const bugs = plantedBugs(PLANTED_BUGS);
  const found = bugs.find((bug) => bug.name === name);
  if (found) return found;
  throw new Error(`there is no planted bug ${name}; there are ${bugs.map((bug) => bug.name).join(', ')}`);
}
