import { existsSync } from 'node:fs';

/** Where distributions put Chromium. */
const USUAL_PATHS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** The machine's Chromium: `CHROMIUM_PATH`, or where it usually lies; undefined where there is none. */
export function chromiumPath(): string | undefined {
  const { CHROMIUM_PATH } = process.env;
  return [...(CHROMIUM_PATH ? [CHROMIUM_PATH] : []), ...USUAL_PATHS].find((path) => existsSync(path));
}
