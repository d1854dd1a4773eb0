import { defineConfig } from 'vitest/config';
import { CAMPAIGN_FILES, CLOCK_FILES, projectOptions, ROOMS, RUN_OPTIONS } from './test/setup/vitest-projects.ts';
import { RoomByRoom } from './test/setup/room-by-room.ts';

const shared = projectOptions({ testMs: 60_000, hookMs: 120_000, waitMs: 45_000 });

// `npm test`: every promise once, at its cheapest level. A project is a room: `npm test -- --project claim`.
export default defineConfig({
  test: {
    ...RUN_OPTIONS,
    sequence: { sequencer: RoomByRoom },
    projects: [
      ...ROOMS.map((name) => ({
        test: {
          ...shared,
          name,
          include: [`test/${name}/**/*.test.ts`],
          exclude: [...CAMPAIGN_FILES, ...CLOCK_FILES],
          // A module is loaded once for a room.
          isolate: false,
        },
      })),
      { test: { ...shared, name: 'clock', include: CLOCK_FILES } },
    ],
  },
});
