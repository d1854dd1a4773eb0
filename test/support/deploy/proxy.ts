import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { onPath } from '../on-path.ts';

/** Where the proxy of the compose set-up lies; undefined where it is not on PATH. */
export const HAPROXY = onPath('haproxy');

export const PROXY_CONFIGURATION = join(import.meta.dirname, '../../../deploy/proxy/haproxy.cfg');

/** The set-up's own, with these addresses in place of the names that Docker answers for. */
export function proxySettings(port: number, siteUrls: readonly string[]): string {
  const settings = readFileSync(PROXY_CONFIGURATION, 'utf8');
  const servers = siteUrls.map((url, index) => `  server api${index} ${new URL(url).host}`);
  const own = settings
    .replace(/^# Of Docker.*?(?=^frontend)/ms, '')
    .replace('bind :8080', `bind 127.0.0.1:${port}`)
    // Of two descriptors each: a machine for tests may have no more.
    .replace('maxconn 20000', 'maxconn 8000')
    .replaceAll(/^ {2}server-template .+$/gm, servers.join('\n'));
  if (/docker|:8080/i.test(own)) throw new Error(`${PROXY_CONFIGURATION} is not as its tests know it`);
  return own;
}
