import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const MAIN = join(import.meta.dirname, '../../client/cli/main.ts');
const run = promisify(execFile);
const help = async (...words: string[]) => (await run(process.execPath, [MAIN, ...words, '--help'])).stdout;

const PAGES = globSync(['README.md', 'client/README.md', 'docs/*.md']).map((page) => readFileSync(page, 'utf8'));

/** Options of a command's uses in the pages. */
const shownOptions = (words: readonly string[]) =>
  PAGES.flatMap((text) => [
    ...text.matchAll(new RegExp(String.raw`slipway ${words.join(' ')} ([^\n\x60]*)`, 'g')),
  ]).flatMap(([, use = '']) => use.split('; ')[0]?.match(/(?<= |^)--[\w-]+/g) ?? []);

const namesIn = (text: string) => [...text.matchAll(/^ {2}(\w+) (?:\[|<)/gm)].map(([, name = '']) => name);

it('every command shows an example with options that it has, as the pages do, and all that it requires', async () => {
  const programs = namesIn(await help()).filter((name) => name !== 'help' && name !== 'verify');
  const verifications = namesIn(await help('verify')).filter((name) => name !== 'help');
  expect([programs.length, verifications.length]).toEqual([6, 11]);
  const commands = [...programs.map((name) => [name]), ...verifications.map((name) => ['verify', name])];
  for (const words of commands) {
    const [described = '', example = ''] = (await help(...words)).split('\nExample:\n');
    expect(example).toMatch(new RegExp(`^ {2}slipway ${words.join(' ')} `));
    const has = new Set([...described.matchAll(/^ {2}(?:-\w, )?(--[\w-]+)/gm)].map(([, name]) => name));
    expect(shownOptions(words).filter((name) => !has.has(name))).toEqual([]);
    expect([...example.matchAll(/(?<= )--[\w-]+/g)].map(([name]) => name).filter((name) => !has.has(name))).toEqual([]);
  }
});
