import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    root: join(import.meta.dirname, '../../..'),
    include: ['test/campaigns/conformance/*.conformance.ts'],
    pool: 'forks',
    // A fork executes each transaction on a copy of its whole state and loses updates of transactions that meet.
    maxConcurrency: 1,
    testTimeout: 180_000,
    hookTimeout: 180_000,
  },
});
