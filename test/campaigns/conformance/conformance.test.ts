import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { Connection } from '@solana/web3.js';
import Type from 'typebox';
import { Value } from 'typebox/value';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { MAINNET_GENESIS } from '../../../domain/network.ts';
import { conformanceFindings } from '../../../ops/commands/platform/doctor/conformance-check.ts';
import { hasSurfpool } from './surfnet.ts';

const ROOT = join(import.meta.dirname, '../../..');

let chain: ChildProcess;
let rpcUrl: string;

beforeAll(async () => {
  // A process of its own: starting a fork blocks the one that asks for it.
  chain = spawn(process.execPath, ['dev/localnet/main.ts', '--slot-ms', '50'], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(createInterface({ input: chain.stdout! }), 'line')) as [string];
  rpcUrl = Value.Parse(
    Type.Object({ rpcUrl: Type.String() }),
    Value.Clean(Type.Object({ rpcUrl: Type.String() }), JSON.parse(line)),
  ).rpcUrl;
});

afterAll(async () => {
  const ended = once(chain, 'exit');
  chain.kill('SIGTERM');
  await ended;
});

/** Runs the command as npm does. */
async function conformance(...args: string[]) {
  const child = spawn(process.execPath, ['test/campaigns/conformance/main.ts', ...args], { cwd: ROOT, stdio: 'pipe' });
  const ended = once(child, 'exit') as Promise<[number | null]>;
  const [stdout, stderr, [status]] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { status, stdout, stderr };
}

describe('the conformance command', () => {
  it('says what it does', async () => {
    const { status, stdout } = await conformance('--help');
    expect(status).toBe(0);
    expect(stdout).toMatch(/--fork <url>[^]*--rpc <url>[^]*--only <pattern>[^]*--json[^]*Exit status/);
  });

  it.each([
    [[], 'give either --fork URL or --rpc URL'],
    [['--fork', 'http://a', '--rpc', 'http://b'], 'give either --fork URL or --rpc URL'],
    [['--rpc', 'ws://a'], 'is not an http or https URL'],
    [['--rpc', 'http://a', '--exchange', 'orca'], 'Allowed choices are raydium, local'],
    [['--now'], "unknown option '--now'"],
  ])('refuses %j', async (args, message) => {
    const { status, stderr } = await conformance(...args);
    expect([status, stderr]).toEqual([2, expect.stringContaining(message)]);
  });

  it('runs the contract on a chain and reports each test', async () => {
    const only = ['--only', 'rates of both tiers|a creator in the'];
    const { status, stdout, stderr } = await conformance('--rpc', rpcUrl, '--exchange', 'local', '--json', ...only);
    expect([status, stderr]).toEqual([0, expect.stringContaining('earns 4200n ppm')]);
    const report: unknown = JSON.parse(stdout);
    expect(report).toMatchObject({ exchange: 'local', passed: 3, failed: 0 });
    expect(report).toHaveProperty(
      'tests',
      expect.arrayContaining([
        expect.objectContaining({
          name: expect.stringContaining('rates of both tiers') as string,
          status: 'passed',
          problem: null,
        }),
      ]),
    );
  });

  it('fails where the programs are not those it asks for', async () => {
    const { status, stdout } = await conformance('--rpc', rpcUrl, '--only', 'rates of both tiers');
    expect(status).toBe(1);
    expect(stdout).toMatch(/failed: the raydium exchange has the rates[^]*raydium: 0 passed, 1 failed/);
  });

  it('fails when no test has this name', async () => {
    const { status } = await conformance('--rpc', rpcUrl, '--exchange', 'local', '--only', 'nothing of the kind');
    expect(status).toBe(1);
  });

  it.runIf(hasSurfpool())(
    'forks a cluster and runs the contract on the fork',
    async () => {
      const only = ['--only', 'rates of both tiers|a creator in the'];
      const directory = await mkdtemp(join(tmpdir(), 'slipway-report-'));
      onTestFinished(() => rm(directory, { recursive: true }));
      const file = join(directory, 'report.json');
      const args = ['--fork', rpcUrl, '--exchange', 'local', '--report', file, ...only];
      const { status, stdout, stderr } = await conformance(...args);
      expect([status, stdout]).toEqual([0, expect.stringMatching(/^local: 3 passed, 0 failed, \d+ skipped\n$/)]);
      const { host } = new URL(rpcUrl);
      const genesisHash = await new Connection(rpcUrl).getGenesisHash();
      expect(stderr).toContain(`forking ${host} (genesis ${genesisHash}) …`);
      const report: unknown = JSON.parse(await readFile(file, 'utf8'));
      expect(report).toMatchObject({ cluster: host, genesisHash, only: only[1], exchange: 'local', passed: 3 });
      expect(await conformanceFindings(MAINNET_GENESIS, file)).toMatchObject([
        { is: 'problem', what: expect.stringContaining(genesisHash) as string },
      ]);
    },
    180_000,
  );
});

it.runIf(!hasSurfpool())('a fork without surfpool is refused with what to do', async () => {
  const { status, stderr } = await conformance('--fork', rpcUrl);
  expect([status, stderr]).toEqual([1, expect.stringContaining('an optional dependency')]);
});
