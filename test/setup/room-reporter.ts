import { stripVTControlCharacters } from 'node:util';
import {
  MinimalReporter,
  type SerializedError,
  type TestCase,
  type TestModule,
  type TestSpecification,
} from 'vitest/node';

/** What a room's tests came to so far. */
interface RoomCounts {
  files: number;
  /** Files that have not ended. */
  open: number;
  passed: number;
  failed: number;
  skipped: number;
  /** Time spent in its files, ms; they run beside each other. */
  testMs: number;
}

/**
 * Prints one line for each room when its last file ends, each failure at once with its message, and the output of failed tests only.
 * Vitest prints the errors of all failed tests with their code at the end.
 */
export default class RoomReporter extends MinimalReporter {
  readonly #rooms = new Map<string, RoomCounts>();

  override onTestRunStart(specifications: readonly TestSpecification[]): void {
    super.onTestRunStart(specifications);
    for (const { project } of specifications) {
      const room = this.#rooms.get(project.name) ?? noCounts();
      this.#rooms.set(project.name, { ...room, files: room.files + 1, open: room.open + 1 });
    }
    this.log(`${specifications.length} files in ${this.#rooms.size} rooms`);
  }

  override onTestCaseResult(test: TestCase): void {
    super.onTestCaseResult(test);
    const room = this.#rooms.get(test.project.name);
    const { state, errors = [] } = test.result();
    if (room && state !== 'pending') room[state]++;
    if (state === 'failed')
      this.log(`FAILED ${test.module.relativeModuleId} > ${test.fullName}${errors.map(errorLines).join('')}`);
  }

  override onTestModuleEnd(module: TestModule): void {
    super.onTestModuleEnd(module);
    const room = this.#rooms.get(module.project.name);
    if (!room) return;
    room.open--;
    room.testMs += module.diagnostic().duration;
    if (room.open === 0) this.log(roomLine(module.project.name, room));
  }
}

const noCounts = (): RoomCounts => ({ files: 0, open: 0, passed: 0, failed: 0, skipped: 0, testMs: 0 });

/** Lines of a message, and of a difference. */
const MOST_LINES = 10;

/** The message of an error, what differs, the first line of its trace that names a place, and the same of its cause. */
function errorLines({ message, diff, stack = '', cause }: SerializedError): string {
  const place = stack.split('\n').find((line) => line.trimStart().startsWith('at '));
  const differing = stripVTControlCharacters(typeof diff === 'string' ? diff : '')
    .split('\n')
    .filter((line) => /^[-+] *\S/.test(line));
  const own = [
    ...message.split('\n').slice(0, MOST_LINES),
    ...differing.slice(0, MOST_LINES),
    ...(place === undefined ? [] : [place.trim()]),
  ];
  return own.map((line) => `\n    ${line}`).join('') + (cause === undefined ? '' : errorLines(cause));
}

/** `claim        14 files  132 passed  0 failed  2 skipped  61 s`. */
function roomLine(name: string, { files, passed, failed, skipped, testMs }: RoomCounts): string {
  const counts = `${String(passed).padStart(5)} passed${failed > 0 ? `  ${failed} FAILED` : ''}`;
  const skips = skipped > 0 ? `  ${skipped} skipped` : '';
  return `${name.padEnd(12)}${String(files).padStart(4)} files${counts}${skips}  ${Math.round(testMs / 1_000)} s`;
}
