import { join } from 'node:path';
import { temporalPart } from '../../../../dev/stack/temporal/server.ts';
import type { Machine } from './machine.ts';
import { type RunSql, startPostgres } from './postgres.ts';
import { makeCertificate, startFronts, type Tls } from './tls.ts';

const PROJECT = join(import.meta.dirname, '../../../..');
const CHAIN = 'http://127.0.0.1:8899';
const node = process.execPath;

/** What the page takes for granted, and how a test acts beside it. */
export interface Premises {
  readonly tls: Tls;
  readonly sql: RunSql;
  /** Runs `chain-main.ts`: sends SOL, or makes a quote token and returns its mint. */
  onChain(what: 'fund' | 'mint', ...addresses: string[]): Promise<string>;
}

/** Starts PostgreSQL, Temporal, a chain, a block engine, the services beyond, and TLS before each. */
export async function startPremises(machine: Machine, temporalCli: string): Promise<Premises> {
  const tls = makeCertificate(machine);
  startTemporal(machine, temporalCli);
  const script = (path: string, ...args: string[]) => ['exec', node, join(PROJECT, path), ...args].join(' ');
  machine.start('outside', script('test/support/deploy/page/outside.ts', '9203'));
  machine.start('chain', script('dev/localnet/main.ts', '--port', '8899'));
  startFronts(machine);
  const sql = await startPostgres(machine, tls);
  await machine.until(`curl -sf https://one.example/ -H 'content-type: application/json' -d '${HEALTH}'`, 'a chain');
  machine.start(
    'engine',
    script('dev/block-engine/main.ts', '--rpc-url', CHAIN, '--port', '8897', '--admin-port', '8898'),
  );
  return {
    tls,
    sql,
    async onChain(what, ...addresses) {
      const words = [node, join(import.meta.dirname, 'chain-main.ts'), what, CHAIN, ...addresses];
      const { status, printed } = await machine.run(words.join(' '));
      if (status !== 0) throw new Error(printed);
      return printed.trim();
    },
  };
}

const HEALTH = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'getHealth' });

/** As an operator runs it: its namespace is the page's to create. */
function startTemporal(machine: Machine, binary: string): void {
  const { directory } = machine;
  const { command, args } = temporalPart({
    binary,
    databaseFile: join(directory, 'temporal.db'),
    namespace: 'default',
    port: 7_243,
    ui: null,
    httpPort: 7_244,
    metricsPort: 7_245,
    temporaryDirectory: directory,
  });
  machine.start('temporal', `cd ${directory} && exec ${[command, ...args].map((word) => `'${word}'`).join(' ')}`);
}
