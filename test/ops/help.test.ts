import type { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import { raydiumAdapter } from '../../chain/exchange/raydium/raydium-adapter.ts';
import { leavesOf } from '../../ops/examples.ts';
import { createProgram } from '../../ops/program.ts';
import { ops } from '../support/ops/ops-run.ts';

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

describe('a malformed variable ends every command with two lines that name it, and no stack', () => {
  test.each(commands.filter(([name]) => name !== 'doctor'))('%s', async (name, command) => {
    const [example = ''] = examplesIn(helpOf(command)).filter((line) => `${line} `.startsWith(`${name} `));
    const run = await ops({ DATABASE_URL: 'nonsense' }, wordsIn(example));
    expect(run.message?.split('\n')).toEqual([
      'the configuration is not usable:',
      '  DATABASE_URL must be a postgres:// URL',
    ]);
  });

  test.each([
    ['SOLANA_RPC_URL', 'one.example'],
    ['TREASURY_ADDRESS', 'nonsense'],
    ['TEMPORAL_ADDRESS', 'nonsense'],
    ['TEMPORAL_TLS', 'maybe'],
    ['BLOCK_ENGINE_URL', 'ftp://one.example'],
    ['PRICE_SOURCE', 'nobody'],
    ['API_URLS', 'http://one.example,two'],
    ['WORKER_URLS', 'one'],
  ])('%s=%s', async (variable, value) => {
    const { status, message = '' } = await ops({ [variable]: value }, 'status');
    expect([status, message.split('\n').length]).toEqual([1, 2]);
    expect(message).toContain(`${variable} must be`);
  });

  test('an endpoint and a database that are away are one line', async () => {
    const env = { DATABASE_URL: 'postgres://u:p@127.0.0.1:1/x', SOLANA_RPC_URL: 'http://127.0.0.1:9' };
    const mint = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
    for (const line of ['switches', `pairs add ${mint} --symbol X --category c --price-source fixed`])
      expect((await ops(env, line)).message).toMatch(/^[^\n]*(?:127\.0\.0\.1)[^\n]*$/);
  });
});

/**
 * What each command does. `final` moves money or ends something without a way back. `goes on` does now what was promised
 * and its round would do later. `changes` has a command that undoes it, or pays only cents of rent.
 */
const EFFECTS: Readonly<Record<'reads' | 'changes' | 'goes on' | 'final', readonly string[]>> = {
  reads: [
    'status',
    'alert',
    'doctor',
    'launches stuck',
    'launches show',
    'launches list',
    'claims list',
    'claims show',
    'fee-sweeps list',
    'airdrops stuck',
    'airdrops show',
    'buybacks list',
    'buybacks show',
    'pairs list',
    'market months',
    'rewards list',
    'rewards show',
    'inventory show',
    'wallets list',
    'webhooks list',
    'webhooks test',
    'lookup-table show',
    'lanes show',
    'books show',
  ],
  changes: [
    'tokens hide',
    'tokens show',
    'tokens links',
    'switches set',
    'pairs add',
    'pairs retire',
    'pairs category',
    'market check',
    'inventory set',
    'wallets label',
    'wallets unlabel',
    'webhooks add',
    'webhooks pause',
    'webhooks resume',
    'webhooks replay',
    'lookup-table create',
    'lookup-table extend',
  ],
  'goes on': [
    'launches adopt',
    'fee-sweeps retry',
    'airdrops retry',
    'airdrops restore-recipients',
    'buybacks retry',
    'rewards retry',
    'rewards restore-plan',
  ],
  final: [
    'launches resolve',
    'market archive',
    'addresses discard-free',
    'events renew',
    'webhooks remove',
    'lanes make',
    'books adopt',
    'books bury',
    'books correct',
    'books close',
  ],
};

describe('a command that moves money or ends something says what it would do, and takes --note and --yes', () => {
  test('it is known of every command whether it is one', () => {
    expect(Object.values(EFFECTS).flat().toSorted()).toEqual(commands.map(([name]) => name).toSorted());
  });

  test.each(commands)('%s', (name, { options }) => {
    const named = options.map(({ long }) => long);
    expect(named.includes('--yes')).toBe(EFFECTS.final.includes(name));
    if (EFFECTS.final.includes(name)) expect(named).toContain('--note');
  });
});

test('an option that a command lacks would be found in an example', async () => {
  await expect(parsed(['lanes', 'show', '--sed', 'x'])).rejects.toThrow('unknown option');
});
