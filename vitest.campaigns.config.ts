import { defineConfig } from 'vitest/config';
import { projectOptions, ROOMS, RUN_OPTIONS } from './test/setup/vitest-projects.ts';
import { RoomByRoom } from './test/setup/room-by-room.ts';

const shared = projectOptions({ testMs: 300_000, hookMs: 300_000, waitMs: 240_000 });

// `npm run test:campaigns`: whole stacks, kills, forks, drills, browsers.
export default defineConfig({
  test: {
    ...RUN_OPTIONS,
    sequence: { sequencer: RoomByRoom },
    projects: [
      ...ROOMS.map((name) => ({
        test: { ...shared, name, include: [`test/${name}/**/*.campaign.test.ts`], isolate: false },
      })),
      { test: { ...shared, name: 'campaigns', include: ['test/campaigns/**/*.test.ts'] } },
    ],
  },
});
