import { type Browser, chromium } from 'playwright-core';

/** Starts Chromium without a window. A container's root has no sandbox, and its shared memory is small. */
export function openChromium(executablePath: string): Promise<Browser> {
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage'] });
}
