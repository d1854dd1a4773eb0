import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { startStack, type RunningStack } from '../../../dev/stack/index.ts';
import { DEFAULT_DATA_DIRECTORY, layoutOf, type StackLayout } from '../../../dev/stack/layout.ts';
import type { StackEvent } from '../../../dev/stack/part.ts';
import { STAND_INS } from './stand-ins/entry-points.ts';

/** The Temporal binary is the one of the test run, not built again for every folder. */
export const STACK_ENV: NodeJS.ProcessEnv = {
  PATH: process.env['PATH'],
  HOME: process.env['HOME'],
  NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
  SLIPWAY_CACHE_DIR: process.env['SLIPWAY_CACHE_DIR'] ?? join(DEFAULT_DATA_DIRECTORY, 'cache'),
  PORT: '0',
};

/** A folder for a stack, as closed to others as root's home; removed after the test. */
export function stackFolder(): StackLayout {
  const directory = mkdtempSync(join(tmpdir(), 'slipway-stack-'));
  onTestFinished(() => {
    rmSync(directory, { recursive: true, force: true });
  });
  return layoutOf(directory);
}

/** A stack whose service, chain and block engine are stand-ins; ended after the test. */
export async function startTestStack(
  layout: StackLayout,
  options: { readonly env?: NodeJS.ProcessEnv; readonly keep?: boolean } = {},
): Promise<{ stack: RunningStack; events: StackEvent[] }> {
  const events: StackEvent[] = [];
  const stack = await startStack({
    dataDirectory: layout.data,
    keep: options.keep ?? false,
    env: { ...STACK_ENV, ...options.env },
    entryPoints: STAND_INS,
    seed: () => Promise.resolve(),
    onProgress: (event) => events.push(event),
  });
  onTestFinished(() => stack.stop());
  return { stack, events };
}
