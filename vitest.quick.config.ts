import { globSync } from 'node:fs';
import { defineConfig } from 'vitest/config';
import { startsAStack } from './test/setup/imports.ts';
import { CAMPAIGN_FILES, projectOptions, ROOMS, RUN_OPTIONS } from './test/setup/vitest-projects.ts';
import { RoomByRoom } from './test/setup/room-by-room.ts';

const shared = projectOptions({ testMs: 60_000, hookMs: 60_000, waitMs: 45_000 });

const quickFilesOf = (room: string): string[] =>
  globSync(`test/${room}/**/*.test.ts`, { exclude: CAMPAIGN_FILES }).filter((file) => !startsAStack(file));

// `npm run test:quick`: those that start no part of a stack.
export default defineConfig({
  test: {
    ...RUN_OPTIONS,
    sequence: { sequencer: RoomByRoom },
    projects: ROOMS.map((name) => ({ name, include: quickFilesOf(name) }))
      .filter(({ include }) => include.length > 0)
      .map((project) => ({ test: { ...shared, ...project, isolate: false } })),
  },
});
