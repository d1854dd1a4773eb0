import { readdirSync } from 'node:fs';
import { join } from 'node:path';

const TEST_ROOT = join(import.meta.dirname, '..');

/** Folders below `test/` that hold support code and recorded data, but no room of tests. */
const NOT_ROOMS = new Set(['campaigns', 'fixtures', 'support']);

/** Test files that run whole stacks, kills, forks, drills and browsers: `npm run test:campaigns`. */
export const CAMPAIGN_FILES = ['test/**/*.campaign.test.ts', 'test/campaigns/**/*.test.ts'];

/** Test files that fake the clock of their process, which caches of a shared process would go on to read. */
export const CLOCK_FILES = ['test/market/freshness.test.ts'];

/** Every folder of `test/` that is a room: its files run as one Vitest project of that name. */
export const ROOMS: readonly string[] = readdirSync(TEST_ROOT, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !NOT_ROOMS.has(entry.name))
  .map((entry) => entry.name)
  .sort();

/** Limits that end a test that hangs, ms. They say nothing about speed. */
export interface HangLimits {
  /** For a whole test. */
  readonly testMs: number;
  /** For a hook: platforms start in hooks, beside other platforms. */
  readonly hookMs: number;
  /** For one awaited event: less than `testMs`, so that the failure names the event. */
  readonly waitMs: number;
}

/** Vitest options of every project. `limits` ends what hangs. */
export function projectOptions({ testMs, hookMs, waitMs }: HangLimits) {
  return {
    setupFiles: ['test/setup/resolve-own.ts', 'test/setup/keep-compiled.ts', 'test/setup/no-drift.ts'],
    // Processes, not threads: native modules (LiteSVM, Temporal's core) unload with them, and some tests send signals.
    pool: 'forks' as const,
    // Node runs TypeScript by itself and keeps what it compiled.
    experimental: { viteModuleRunner: false },
    testTimeout: testMs,
    hookTimeout: hookMs,
    expect: { poll: { timeout: waitMs } },
    env: {
      TEST_WAIT_MS: String(waitMs),
      // The compiler that bundles workflows unpacks itself there instead of under the home directory.
      SWC_NATIVE_BINDING_CACHE: join(TEST_ROOT, '../.data/cache/swc'),
    },
  };
}

/** Vitest options of a whole run. */
export const RUN_OPTIONS = {
  // Temporal's client throws this from a timer when a repeat of a call is due after its connection was closed: no caller can catch it.
  onUnhandledError: ({ message }: { readonly message?: string }) => message !== 'Channel has been shut down',
  globalSetup: ['test/setup/global-setup.ts'],
  // Twice the cores of CI: half of what platform tests do is wait for slots and finality.
  maxWorkers: 4,
  teardownTimeout: 60_000,
  reporters: ['./test/setup/room-reporter.ts'],
};

// Inherited by test processes: Node reads it before it runs anything. A fifth of a short file's CPU is compiling packages.
process.env['NODE_COMPILE_CACHE'] ??= join(TEST_ROOT, '../.data/cache/node');
