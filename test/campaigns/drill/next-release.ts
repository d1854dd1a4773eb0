import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { layOutLocalImage } from '../../support/deploy/image.ts';
import { type PlantedBug, plantedBugs } from '../planted-bugs/planted-bug.ts';

/** A change that the release before could not replay: a timer between the first two steps of a launch. */
const WORKFLOW = 'workflows/launch/launch.ts';
const OPENED = "    board.show(await runStep(board, 'openLaunch'));\n";
const CHANGED = `${OPENED}    await condition(() => false, '100 milliseconds');\n`;

/** A task queue that n+1 calls otherwise: to n it is a new one, and its own is gone. */
const QUEUES = 'workflows/task-queues.ts';
const QUEUE = "WATCH_TASK_QUEUE = 'watch'";
const OTHER_QUEUE = "WATCH_TASK_QUEUE = 'watch-next'";

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

/** What the release after has beside the changed workflow and the migration. */
export interface NextRelease {
  /** Name of a planted bug; empty for none. */
  readonly planted: string;
  /** Another task queue in the place of one. */
  readonly movesQueue: boolean;
}

/**
 * Puts the release after this checkout into an empty folder: a changed workflow, bundled as where an image is built, and a
 * migration that expands the schema; with what is asked for beside.
 */
export async function layOutNextRelease(directory: string, { planted, movesQueue }: NextRelease): Promise<void> {
  layOutLocalImage(directory);
  if (planted !== '') await promisify(execFile)('git', ['apply', bugNamed(planted).patchFile], { cwd: directory });
  replaceIn(directory, WORKFLOW, OPENED, CHANGED);
  if (movesQueue) replaceIn(directory, QUEUES, QUEUE, OTHER_QUEUE);
  writeFileSync(join(directory, 'db/migrations/9999-expand-drill.ts'), MIGRATION);
  await promisify(execFile)(process.execPath, [join(directory, 'worker/write-bundle.ts')]);
}

function replaceIn(directory: string, file: string, text: string, other: string): void {
  const path = join(directory, file);
  const before = readFileSync(path, 'utf8');
  if (!before.includes(text)) throw new Error(`${file} does not say ${text.trim()}: the drill cannot change it`);
  writeFileSync(path, before.replace(text, other));
}

function bugNamed(name: string): PlantedBug {
  const bugs = plantedBugs(PLANTED_BUGS);
  const found = bugs.find((bug) => bug.name === name);
  if (found) return found;
  throw new Error(`there is no planted bug ${name}; there are ${bugs.map((bug) => bug.name).join(', ')}`);
}
