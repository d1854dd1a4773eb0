import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { RoomByRoom } from './test/setup/room-by-room.ts';

// Test processes load the same packages, and a fifth of a short file's CPU is compiling them. Inherited: Node reads it before it runs
// anything.
process.env['NODE_COMPILE_CACHE'] ??= join(import.meta.dirname, '.data/cache/node');

/** A machine of CI's own tries again sooner. */
const HANGS_AFTER_MS = process.env['CI'] ? 300_000 : 1_200_000;

const filesIn = (folders: readonly string[]) => folders.map((folder) => `test/${folder}/**/*.test.ts`);

/** Each in a process of its own: campaigns, what starts and ends whole stacks, and what tampers with the clock of its process. */
const ALONE = [...filesIn(['campaigns', 'dev/stack']), 'test/market/freshness.test.ts'];

/**
 * Rooms whose files share processes: what a file loads is loaded once for all, a third of the CPU of those that play the whole platform.
 * Each room has its own, since not all of what tests have made is let go of.
 */
const ROOMS = {
  rounds: filesIn(['buyback', 'fee-sweep', 'reward']),
  launch: filesIn(['airdrop', 'launch', 'observe', 'workflows']),
  claim: filesIn(['claim', 'client', 'money', 'ops', 'restock']),
  market: filesIn(['market']),
};

const ofEveryFile = {
  setupFiles: ['test/setup/resolve-own.ts', 'test/setup/keep-compiled.ts', 'test/setup/no-drift.ts'],
  // Processes, not threads: native modules (LiteSVM, Temporal's core) are unloaded with them, and some tests send signals.
  pool: 'forks' as const,
  // Node runs TypeScript by itself, and keeps what it has compiled: a quarter of a short file's CPU less than through Vite.
  experimental: { viteModuleRunner: false },
  // Limits end what hangs; they say nothing about speed. A machine on which others work too is many times slower.
  testTimeout: HANGS_AFTER_MS,
  hookTimeout: HANGS_AFTER_MS,
  expect: { poll: { timeout: HANGS_AFTER_MS / 2 } },
  // The local chain's blockhashes expire by its clock: a machine that stands still for seconds may try such a test again.
  retry: process.env['CI'] ? 1 : 0,
  // The compiler that bundles workflows unpacks itself there instead of under the home directory.
  env: { SWC_NATIVE_BINDING_CACHE: join(import.meta.dirname, '.data/cache/swc') },
};

export default defineConfig({
  test: {
    globalSetup: ['test/setup/global-setup.ts'],
    // Twice CI's cores: half of what tests of the whole platform do is to wait for slots and finality.
    maxWorkers: 4,
    teardownTimeout: 60_000,
    sequence: { sequencer: RoomByRoom },
    reporters: ['default'],
    projects: [
      { test: { ...ofEveryFile, name: 'alone', include: ALONE } },
      ...Object.entries({ ...ROOMS, others: ['test/**/*.test.ts'] }).map(([name, include]) => {
        const exclude = name in ROOMS ? ALONE : [...ALONE, ...Object.values(ROOMS).flat()];
        return { test: { ...ofEveryFile, name, include, exclude, isolate: false } };
      }),
    ],
  },
});
