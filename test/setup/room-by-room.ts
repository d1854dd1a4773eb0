import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Room files that begin between two campaigns. */
const BETWEEN_CAMPAIGNS = 8;

/**
 * Orders files room by room, because a process that shares modules ends with the last file of its room. Campaigns run alone and
 * longest: they are spread over the first files, so that cores stay busy and campaigns do not run beside each other only.
 */
export class RoomByRoom extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { campaigns = [], ...rooms } = Object.groupBy(await super.sort(files), ({ project }) => project.name);
    const others = this.ctx.projects.flatMap(({ name }) => rooms[name] ?? []);
    const spread = campaigns.flatMap((file, index) => [
      file,
      ...others.slice(index * BETWEEN_CAMPAIGNS, (index + 1) * BETWEEN_CAMPAIGNS),
    ]);
    return [...spread, ...others.slice(campaigns.length * BETWEEN_CAMPAIGNS)];
  }
}
