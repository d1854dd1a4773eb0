import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/setup/global-setup.ts'],
    // Processes, not threads: native modules (LiteSVM, Temporal's core) are unloaded with them, and some tests send signals.
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: process.env['CI'] ? 60_000 : 20_000,
    hookTimeout: 120_000,
    teardownTimeout: 20_000,
    // Tests of the whole platform run against clocks: chain slots, blockhash lifetimes, time limits. A machine that stands
    // still for seconds may try such a test again; where it is a person's own, a failure shows at once.
    retry: process.env['CI'] ? 2 : 0,
    reporters: ['default'],
    // The compiler that bundles workflows unpacks itself there instead of under the home directory.
    env: { SWC_NATIVE_BINDING_CACHE: join(import.meta.dirname, '.data/cache/swc') },
  },
});
