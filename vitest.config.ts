import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { SpreadCampaigns } from './test/setup/spread-campaigns.ts';

// Each test file is a process that loads the same packages, and a fifth of its CPU is compiling them. Inherited: Node reads it
// before it runs anything.
process.env['NODE_COMPILE_CACHE'] ??= join(import.meta.dirname, '.data/cache/node');

/** A machine of CI's own tries again sooner. */
const HANGS_AFTER_MS = process.env['CI'] ? 300_000 : 1_200_000;

/** Folders none of whose files needs a process of its own: what they load, two to three times what they run, is loaded once for all. */
const SHARING = ['api', 'chain', 'clients', 'config', 'db', 'docs', 'domain', 'trading'].map(
  (folder) => `test/${folder}/**/*.test.ts`,
);

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
    sequence: { sequencer: SpreadCampaigns },
    reporters: ['default'],
    projects: [
      { test: { ...ofEveryFile, name: 'alone', include: ['test/**/*.test.ts'], exclude: SHARING } },
      { test: { ...ofEveryFile, name: 'shared', include: SHARING, isolate: false } },
    ],
  },
});
