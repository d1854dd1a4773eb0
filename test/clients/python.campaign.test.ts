import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Localnet, startLocalnet } from '../../dev/localnet/index.ts';
import { HOLDERS, seedHolders } from '../support/clients/holders.ts';
import { INSTALL_MS, pythonWith } from '../support/python.ts';

const run = promisify(execFile);

const REQUIREMENTS = join(import.meta.dirname, 'requirements.txt');
const CLIENT = join(import.meta.dirname, 'python_client.py');
const RUN_MS = 60_000;

const Report = Compile(Type.Object({ name: Type.String(), ok: Type.Boolean(), error: Type.Optional(Type.String()) }));
type Report = ReturnType<typeof Report.Parse>;

let chain: Localnet | undefined;
const reports = new Map<string, Report>();
beforeAll(async () => {
  const bin = await pythonWith(REQUIREMENTS, 'python');
  chain = await startLocalnet({ slotMs: 40 });
  const { stdout } = await run(join(bin, 'python'), [CLIENT, chain.rpcUrl, seedHolders(chain), String(HOLDERS)], {
    timeout: RUN_MS,
  });
  for (const line of stdout.trim().split('\n')) {
    const report = Report.Parse(JSON.parse(line));
    reports.set(report.name, report);
  }
}, INSTALL_MS + RUN_MS);
afterAll(() => chain?.close());

test.each([
  ['transfers SOL', 'transfers_sol'],
  ['creates a classic mint', 'creates_a_classic_mint'],
  ['creates a Token-2022 mint with a transfer fee and metadata', 'creates_a_token_2022_mint'],
  ['uses a lookup table', 'uses_a_lookup_table'],
  ['reads 6,000 holders', 'reads_holders'],
  ["sees a failed transaction's fee", 'sees_a_failed_transactions_fee'],
  ['sees an expired blockhash', 'sees_an_expired_blockhash'],
  ['sees a skipped slot', 'sees_a_skipped_slot'],
])('the Python client %s', (_promise, check) => {
  expect(reports.get(check)).toEqual({ name: check, ok: true });
});
