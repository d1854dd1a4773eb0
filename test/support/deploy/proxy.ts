import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { onPath } from '../on-path.ts';

/** Where the proxy of the compose set-up lies; undefined where it is not on PATH. */
export const HAPROXY = onPath('haproxy');

const PROXY_CONFIGURATION = join(import.meta.dirname, '../../../deploy/proxy/haproxy.cfg');

/** The set-up's own, with these addresses in place of the names that Docker answers for. */
export function proxySettings(port: number, siteUrls: readonly string[]): string {
  const settings = readFileSync(PROXY_CONFIGURATION, 'utf8');
  const servers = siteUrls.map((url, index) => `  server api${index} ${new URL(url).host}`);
  const own = settings
    .replace(/^# Of Docker.*?(?=^frontend)/ms, '')
    .replace('bind :8080', `bind 127.0.0.1:${port}`)
    .replace(/^ {2}server-template .+$/m, servers.join('\n'));
  if (/docker|:8080/i.test(own)) throw new Error(`${PROXY_CONFIGURATION} is not as its tests know it`);
  return own;
}
