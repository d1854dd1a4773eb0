import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Command, CommanderError } from 'commander';
import { describe, expect, test } from 'vitest';
import { raydiumAdapter } from '../../chain/exchange/raydium/raydium-adapter.ts';
import { createProgram } from '../../ops/program.ts';

const ROOT = join(import.meta.dirname, '../..');
const PAGES = ['*.md', 'docs/**/*.md', 'client/*.md', 'integrations/**/*.md'];
const SOURCES =
  '{activities,api,chain,config,db,deploy,dev,domain,observe,ops,worker,workflows}/**/*.{ts,yml,yaml,sh,md}';

/** A command line of the operator that the project names somewhere. */
interface Named {
  readonly where: string;
  readonly line: string;
  /** A line to copy has everything that the command needs; a name in a sentence may lack arguments and options. */
  readonly isWhole: boolean;
}

/** The operator's program, whose commands do nothing. */
function idleProgram(): Command {
  const io = { env: {}, stackFile: '', user: () => '', exchange: raydiumAdapter, write: () => undefined };
  const program = createProgram(io).configureOutput({ writeErr: () => undefined, writeOut: () => undefined });
  const leaves = (command: Command): Command[] =>
    command.commands.length === 0 ? [command] : command.commands.flatMap(leaves);
  for (const leaf of leaves(program)) leaf.action(() => undefined).configureOutput({ writeErr: () => undefined });
  return program;
}

const GROUPS = new Set(
  idleProgram()
    .commands.filter(({ commands }) => commands.length > 0)
    .map((one) => one.name()),
);

function filesOf(patterns: string | string[]): string[] {
  return globSync(patterns, { cwd: ROOT, exclude: (name) => name.includes('node_modules') }).toSorted();
}

const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');

const MARKED = /(?:npm run (?:-s )?ops -- |(?<![\w-])slipway ops )([^`\n]*)/g;

/** In pages: lines to copy, and names in sentences. */
function namedInPage(file: string): Named[] {
  const text = read(file);
  const blocks = text.match(/^ *```sh\n[\s\S]*?^ *```/gm) ?? [];
  const prose = text.replaceAll(/^ *```[\s\S]*?^ *```/gm, '');
  const copied = blocks.flatMap((block) => [...block.matchAll(MARKED)].map(([, line]) => line!));
  const spans = [...prose.matchAll(/`([^`\n]+)`/g)].map(([, span]) =>
    span!.replace(/^(?:npm run ops -- |slipway ops |ops )/, ''),
  );
  const inProse = spans.filter((span) => GROUPS.has(span.split(' ')[0]!) && /^\S+ [a-z][a-z-]+( |$)/.test(span));
  return [
    ...copied.map((line) => ({ where: file, line, isWhole: true })),
    ...inProse.map((line) => ({ where: file, line, isWhole: false })),
  ];
}

/** In messages, remedies, alerts, helps. */
function namedInSource(file: string): Named[] {
  const text = read(file).replaceAll(/\$\{[^{}]*\}|\{\{[^{}]*\}\}/g, '1');
  const remedies = [...text.matchAll(/opsCommand\(\s*(['"`])(.*?)\1/gs)].map(([, , line]) => line!);
  const copied = [...text.matchAll(MARKED)].map(([, line]) => line!.replace(/(?:'[^"]*|\\)$/, ''));
  const quoted = [...text.matchAll(/(?:"|\\")ops ([a-z][^"\\]*)(?:"|\\")/g)].map(([, line]) => line!);
  return [
    ...[...remedies, ...copied.filter((line) => !/^(?:1 ?)*$/.test(line.trim()))].map((line) => ({
      where: file,
      line,
      isWhole: true,
    })),
    ...quoted.map((line) => ({ where: file, line, isWhole: false })),
  ];
}

/** What stands for a value in a page, where the command takes no text of any kind. */
const EXAMPLES: Readonly<Record<string, string>> = { N: '1', MONTH: '2026-05', PARKING: '1' };

function wordsOf(line: string): string[] {
  const words = line.match(/"[^"]*"|'[^']*'|[^\s"']+/g) ?? [];
  const end = words.findIndex((word) => /^(?:#|\||;|&&|>|2>|\(|\))/.test(word));
  return words
    .slice(0, end === -1 ? undefined : end)
    .map((word) => EXAMPLES[word] ?? word.replaceAll(/^["']|["';,]$/g, ''));
}

/** @throws CommanderError */
async function parse(words: readonly string[]): Promise<void> {
  try {
    await idleProgram().parseAsync([...words], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError) || error.exitCode !== 0) throw error;
  }
}

/** @throws CommanderError */
async function check({ line, isWhole }: Named): Promise<void> {
  const words = wordsOf(line);
  if (words.length === 0 || words.some((word) => word === '…' || word === '...')) return;
  if (isWhole) return parse(words);
  let command = idleProgram();
  for (const word of words) {
    const next = command.commands.find((one) => one.name() === word);
    if (command.commands.length === 0 || word.startsWith('-')) break;
    if (!next) throw new CommanderError(1, 'unknown', `there is no command ${word} in ${command.name()}`);
    command = next;
  }
  const unknown = words.find((word) => word.startsWith('--') && !command.options.some(({ long }) => long === word));
  if (unknown) throw new CommanderError(1, 'unknown', `${command.name()} has no option ${unknown}`);
}

describe('every command of the operator that is named is one', () => {
  const named = [...filesOf(PAGES).flatMap(namedInPage), ...filesOf(SOURCES).flatMap(namedInSource)];

  test.each(named)('$where: $line', async (one) => {
    await expect(check(one)).resolves.toBeUndefined();
  });

  test('and hundreds are named', () => {
    expect(named.length).toBeGreaterThan(100);
  });

  test.each(['market repair', 'books mend X', 'lanes make --sed x'])('%s would be found', async (line) => {
    await expect(check({ where: '', line, isWhole: false })).rejects.toThrow(CommanderError);
  });
});

test('no page runs TypeScript by a Node that may not be able to', () => {
  const pattern = /(?:^|[\s`;&|(])node (?:api|bench|client|db|dev|ops|test|web|worker)\/\S+\.ts/gm;
  const found = filesOf([...PAGES, 'ops/**/*.ts', 'db/**/*.ts']).flatMap((file) =>
    (read(file).match(pattern) ?? []).map((line) => `${file}:${line}`),
  );
  expect(found).toEqual([]);
});
