import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** So many other files begin between two that run alone. */
const BETWEEN_ALONE = 8;

/**
 * Files that share processes come room by room: a process ends with the last file of its room. Campaigns and others that run alone take
 * longest and are short files, which Vitest would begin last, each beside idle cores; all at the beginning they would be in each other's
 * way. So they are spread over the first files of a run.
 */
export class RoomByRoom extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { alone = [], ...rooms } = Object.groupBy(await super.sort(files), ({ project }) => project.name);
    const others = this.ctx.projects.flatMap(({ name }) => rooms[name] ?? []);
    const spread = alone.flatMap((file, index) => [
      file,
      ...others.slice(index * BETWEEN_ALONE, (index + 1) * BETWEEN_ALONE),
    ]);
    return [...spread, ...others.slice(alone.length * BETWEEN_ALONE)];
  }
}
