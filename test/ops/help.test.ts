import type { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import { raydiumAdapter } from '../../chain/exchange/raydium/raydium-adapter.ts';
import { leavesOf } from '../../ops/examples.ts';
import { createProgram } from '../../ops/program.ts';

const createIdle = () =>
  createProgram({ env: {}, stackFile: '', user: () => '', exchange: raydiumAdapter, write: () => undefined });

/** The command's help, with what its examples are. */
function helpOf(command: Command): string {
  let text = '';
  command.configureOutput({ writeOut: (part) => void (text += part) }).outputHelp();
  return text;
}

const examplesIn = (help: string) =>
  [...(help.split(/\nExamples?:\n/)[1] ?? '').matchAll(/^ {2}npm run ops -- (.*)$/gm)].map(([, line = '']) => line);

const wordsIn = (line: string) =>
  (line.split(' | ')[0]?.match(/"[^"]*"|\S+/g) ?? []).map((word) => word.replaceAll('"', ''));

/** Runs nothing: returns what the command takes the words for. Rejects where it takes them for nothing. */
async function parsed(words: readonly string[]): Promise<string> {
  let taken = '';
  const program = createIdle();
  for (const [name, leaf] of leavesOf(program)) {
    leaf.exitOverride().configureOutput({ writeErr: () => undefined });
    leaf.action(() => void (taken = name));
  }
  await program.parseAsync([...words], { from: 'user' });
  return taken;
}

const commands = leavesOf(createIdle());

describe('the help of every command shows an example that the command takes', () => {
  test.each(commands)('%s', async (name, command) => {
    const own = examplesIn(helpOf(command)).filter((line) => `${line} `.startsWith(`${name} `));
    expect(own, `the help of ${name} has no example of it`).not.toEqual([]);
    for (const line of own) expect(await parsed(wordsIn(line))).toBe(name);
  });
});

test('a command without a way back takes --note and --yes', () => {
  const removing = commands.filter(([, { options }]) => options.some(({ long }) => long === '--yes'));
  expect(removing.map(([name]) => name).sort()).toEqual([
    'addresses discard-free',
    'events renew',
    'market archive',
    'webhooks remove',
  ]);
  for (const [, { options }] of removing) expect(options.map(({ long }) => long)).toContain('--note');
});

test('an option that a command lacks would be found in an example', async () => {
  await expect(parsed(['lanes', 'make', '--seed', 'seed-1', '--sed', 'x'])).rejects.toThrow('unknown option');
});
