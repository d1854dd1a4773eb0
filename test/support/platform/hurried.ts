import { onTestFinished } from 'vitest';
import { startApi } from './api.ts';
import type { Platform } from './platform.ts';

/** The platform as creators reach it through another API, whose submits wait so many seconds only; until the test ends. */
export async function hurried(platform: Platform, submitWaitSeconds: number): Promise<Platform> {
  const variables = { ...platform.variables, SUBMIT_WAIT_SECONDS: String(submitWaitSeconds) };
  const api = await startApi(variables, platform.log);
  onTestFinished(() => api.close());
  return { ...platform, api };
}
