import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Type from 'typebox';
import { Parse } from 'typebox/value';
import { afterAll, describe, expect, it } from 'vitest';
import { END_WAYS } from '../support/dev/end-ways.ts';
import { ProcessTree } from '../support/dev/process-tree.ts';

const ROOT = join(import.meta.dirname, '../..');
const ManifestSchema = Type.Object({ scripts: Type.Record(Type.String(), Type.String()) });
const { scripts } = Parse(ManifestSchema, JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')));

/** Starts a part in its group, one that ignores signals, and one in a group of its own; and never ends them. */
const CARELESS = `
import { spawn } from 'node:child_process';
const stay = 'setInterval(() => {}, 1000);';
const deaf = 'for (const name of ["SIGTERM", "SIGINT", "SIGHUP"]) process.on(name, () => {});';
spawn(process.execPath, ['-e', stay + '/* plain */'], { stdio: 'ignore' });
spawn(process.execPath, ['-e', deaf + stay + '/* deaf */'], { stdio: 'ignore' });
spawn(process.execPath, ['-e', deaf + stay + '/* apart */'], { stdio: 'ignore', detached: true });
if (process.argv[2] === 'deaf') for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(name, () => {});
setInterval(() => console.log('works'), 200);
`;

const folder = mkdtempSync(join(tmpdir(), 'slipway-end-'));
cpSync(join(ROOT, 'scripts'), join(folder, 'scripts'), { recursive: true });
// In place of the installation.
writeFileSync(join(folder, 'scripts/setup.mjs'), '');
writeFileSync(join(folder, 'careless.mjs'), CARELESS);
const careless = 'exec node scripts/run.mjs node careless.mjs';
const ends = "exec node scripts/run.mjs node -e 'process.exit(7)'";
writeFileSync(join(folder, 'package.json'), JSON.stringify({ scripts: { careless, ends } }));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function npm(...args: string[]): ChildProcess {
  const child = spawn('npm', ['run', ...args], { cwd: folder, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  child.stdout.resume();
  child.stderr.resume();
  return child;
}

describe.concurrent('a script whose command ends none of its parts', () => {
  it.each(Object.entries(END_WAYS))('leaves nothing after %s', async (_way, end) => {
    const started = npm('careless');
    const tree = new ProcessTree(started.pid ?? 0);
    for (const part of [/plain/, /deaf/, /apart/]) await tree.has(part);
    end(started);
    expect(await tree.leftAtTheEnd()).toEqual([]);
  });

  it('leaves nothing although the command ignores signals too', async () => {
    const started = npm('careless', 'deaf');
    const tree = new ProcessTree(started.pid ?? 0);
    for (const part of [/plain/, /deaf \*/, /apart/]) await tree.has(part);
    started.kill('SIGKILL');
    expect(await tree.leftAtTheEnd()).toEqual([]);
  });
});

it('a script has the status of its command', async () => {
  const status = await new Promise((resolve) => npm('ends').once('exit', resolve));
  expect(status).toBe(7);
});

it.each(Object.entries(scripts))('npm run %s is ended so', (_name, script) => {
  expect(script).toMatch(/^exec node scripts\/run\.mjs( |$)/);
});
