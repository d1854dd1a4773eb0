import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Machine } from './machine.ts';

export const PASSWORDS = { slipway: randomBytes(16).toString('hex'), slipway_api: randomBytes(16).toString('hex') };

type File = 'shared' | 'api' | 'worker' | 'migrate' | 'compose';
const key = (id: string) => `${id}:${randomBytes(32).toString('base64')}`;
const AUTHORITY = { NODE_EXTRA_CA_CERTS: '/run/secrets/ca.pem' };

/** What an operator writes in place of the examples' values, and adds; other lines stay as they are shipped. */
const VALUES: Readonly<Record<File, Readonly<Record<string, string>>>> = {
  shared: {
    ...AUTHORITY,
    TEMPORAL_TLS_CA_FILE: '/run/secrets/ca.pem',
    ARWEAVE_BUNDLER_URL: 'https://bundler.example',
    ARWEAVE_GATEWAY_URL: 'https://bundler.example',
    PYTH_URL: 'https://hermes.example',
  },
  api: {
    QUOTE_KEYS: key('quote-1'),
    ADMIN_PASSWORD: randomBytes(16).toString('hex'),
    HOST: '127.0.0.1',
    API_METRICS_HOST: '127.0.0.1',
    RATE_LIMIT_STORE: 'postgres',
    TRUST_PROXY: '127.0.0.1',
  },
  worker: {
    LAUNCH_SEEDS: key('seed-1'),
    HOST: '127.0.0.1',
    TREASURY_SIGNER: 'file:/run/secrets/treasury.json',
    PLATFORM_SIGNER: 'file:/run/secrets/platform.json',
    REWARDS_SIGNER: 'file:/run/secrets/rewards.json',
    BACKUP_STAMP_FILE: '/run/secrets/backup-stamp',
  },
  migrate: AUTHORITY,
  compose: { GRAFANA_PASSWORD: randomBytes(16).toString('hex'), DATABASE_PASSWORD: '' },
};

/** Copies the examples of variables, mode 600, and fills them in. */
export function fillIn({ folder }: Machine): void {
  for (const name of Object.keys(VALUES) as File[]) {
    const file = join(folder, 'deploy', `${name}.env`);
    copyFileSync(`${file}.example`, file);
    const text = Object.entries(VALUES[name]).reduce(
      (lines, [variable, value]) => withVariable(lines, variable, value),
      readFileSync(file, 'utf8').replaceAll(
        /\/\/(slipway\w*):…@/g,
        (_, role: keyof typeof PASSWORDS) => `//${role}:${PASSWORDS[role]}@`,
      ),
    );
    const left = /^[A-Z_]+=.*…/m.exec(text);
    if (left) throw new Error(`${name}.env still has ${left[0]}`);
    writeFileSync(file, text, { mode: 0o600 });
  }
}

/** Sets one variable of a file. */
export function setVariable({ folder }: Machine, name: File, variable: string, value: string): void {
  const file = join(folder, 'deploy', `${name}.env`);
  writeFileSync(file, withVariable(readFileSync(file, 'utf8'), variable, value));
}

function withVariable(text: string, variable: string, value: string): string {
  const line = new RegExp(`^${variable}=.*$`, 'm');
  return line.test(text) ? text.replace(line, `${variable}=${value}`) : `${text}${variable}=${value}\n`;
}
