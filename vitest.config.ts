import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

// Each test file is a process that loads the same packages, and a fifth of its CPU is compiling them. Inherited: Node reads it
// before it runs anything.
process.env['NODE_COMPILE_CACHE'] ??= join(import.meta.dirname, '.data/cache/node');

/** A machine of CI's own tries again sooner. */
const HANGS_AFTER_MS = process.env['CI'] ? 300_000 : 1_200_000;

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/setup/global-setup.ts'],
    setupFiles: ['test/setup/keep-compiled.ts', 'test/setup/no-drift.ts'],
    // Processes, not threads: native modules (LiteSVM, Temporal's core) are unloaded with them, and some tests send signals.
    pool: 'forks',
    // Node runs TypeScript by itself, and keeps what it has compiled: a quarter of a short file's CPU less than through Vite.
    experimental: { viteModuleRunner: false },
    // One more than CI's cores: some of what tests of the whole platform do is to wait for slots and finality.
    maxWorkers: 3,
    // Limits end what hangs; they say nothing about speed. A machine on which others work too is many times slower.
    testTimeout: HANGS_AFTER_MS,
    hookTimeout: HANGS_AFTER_MS,
    teardownTimeout: 60_000,
    expect: { poll: { timeout: HANGS_AFTER_MS / 2 } },
    // The local chain's blockhashes expire by its clock: a machine that stands still for seconds may try such a test again.
    retry: process.env['CI'] ? 1 : 0,
    reporters: ['default'],
    // The compiler that bundles workflows unpacks itself there instead of under the home directory.
    env: { SWC_NATIVE_BINDING_CACHE: join(import.meta.dirname, '.data/cache/swc') },
  },
});
