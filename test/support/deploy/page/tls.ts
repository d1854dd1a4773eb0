import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { HAPROXY } from '../proxy.ts';
import type { Machine } from './machine.ts';

/** Files of one certificate for all names, and of the authority that signed it. */
export interface Tls {
  readonly authorityFile: string;
  readonly certificateFile: string;
  readonly keyFile: string;
}

interface Front {
  readonly address: string;
  readonly port: number;
  /** Port of what answers without TLS. */
  readonly to: number;
  /** With HTTP/2 inside. */
  readonly isGrpc?: boolean;
}

const BEHIND = { bundler: 9_203, pyth: 9_201, tips: 9_202, temporal: 7_243, engine: 8_897, chain: 8_899, proxy: 8_080 };

/** What the page and its examples name, and the services of the set-up beyond the machine. */
const FRONTS: Readonly<Record<string, Front>> = {
  'one.example': { address: '127.0.50.1', port: 443, to: BEHIND.chain },
  'two.example': { address: '127.0.50.2', port: 443, to: BEHIND.chain },
  'your.site': { address: '127.0.50.3', port: 443, to: BEHIND.proxy },
  'bundler.example': { address: '127.0.50.4', port: 443, to: BEHIND.bundler },
  'hermes.example': { address: '127.0.50.5', port: 443, to: BEHIND.pyth },
  'bundles.jito.wtf': { address: '127.0.50.6', port: 443, to: BEHIND.tips },
  'mainnet.block-engine.jito.wtf': { address: '127.0.50.7', port: 443, to: BEHIND.engine, isGrpc: true },
  'temporal.internal': { address: '127.0.50.8', port: 7_233, to: BEHIND.temporal, isGrpc: true },
};

/** Lines of /etc/hosts. */
export const HOSTS = [
  ...Object.entries(FRONTS).map(([name, { address }]) => `${address} ${name}`),
  '127.0.0.1 db.internal',
];

/** Makes an authority of the machine's own and a certificate for all names. */
export function makeCertificate({ directory }: Machine): Tls {
  const folder = join(directory, 'tls');
  mkdirSync(folder);
  const run = (...words: string[]) => execFileSync('openssl', words, { cwd: folder, stdio: 'pipe' });
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  run('req', '-x509', ...key, '-keyout', 'ca.key', '-out', 'ca.pem', '-days', '90', '-subj', '/CN=slipway test');
  run('req', '-new', ...key, '-keyout', 'own.key', '-out', 'own.csr', '-subj', '/CN=your.site');
  const names = [...Object.keys(FRONTS), 'db.internal'].map((name) => `DNS:${name}`);
  writeFileSync(join(folder, 'names'), `subjectAltName=${names.join(',')}`);
  const signed = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-days', '90', '-extfile', 'names'];
  run('x509', '-req', '-in', 'own.csr', ...signed, '-out', 'own.pem');
  const file = (name: string) => join(folder, name);
  writeFileSync(file('both.pem'), readFileSync(file('own.pem'), 'utf8') + readFileSync(file('own.key'), 'utf8'));
  appendFileSync(join(directory, 'etc/ssl/certs/ca-certificates.crt'), readFileSync(file('ca.pem')));
  return { authorityFile: file('ca.pem'), certificateFile: file('own.pem'), keyFile: file('own.key') };
}

/** Ends TLS on an address of each name. */
export function startFronts(machine: Machine): void {
  if (HAPROXY === undefined) throw new Error('haproxy is not on PATH');
  const file = join(machine.directory, 'fronts.cfg');
  const fronts = Object.entries(FRONTS).map(([name, front]) =>
    frontOf(join(machine.directory, 'tls/both.pem'), name, front),
  );
  const times = ['client', 'server', 'tunnel'].map((which) => `  timeout ${which} 5m`);
  writeFileSync(
    file,
    ['global', '  maxconn 500', 'defaults', '  timeout connect 2s', ...times, ...fronts, ''].join('\n'),
  );
  machine.start('fronts', `exec ${HAPROXY} -db -f ${file}`);
}

/**
 * What a front changes in requests. The local chain answers this machine alone, so another host's name is refused, and it
 * has no key in its path.
 */
function headersFor({ to, isGrpc = false }: Front): string[] {
  if (isGrpc) return [];
  if (to !== BEHIND.chain) return ['  option forwardfor'];
  return [`  http-request set-header host 127.0.0.1:${to}`, '  http-request set-path /'];
}

function frontOf(certificate: string, name: string, front: Front): string {
  const { address, port, to, isGrpc = false } = front;
  const [mode, alpn] = isGrpc ? ['tcp', 'h2'] : ['http', 'http/1.1'];
  return [
    `listen ${name}`,
    `  mode ${mode}`,
    `  bind ${address}:${port} ssl crt ${certificate} alpn ${alpn}`,
    ...headersFor(front),
    `  server behind 127.0.0.1:${to}`,
  ].join('\n');
}
