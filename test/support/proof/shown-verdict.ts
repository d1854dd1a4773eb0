import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { verdictOf } from '../../../client/cli/verifying.ts';
import type { Check } from '../../../client/verify/check.ts';

const PAGE = readFileSync(join(import.meta.dirname, '../../../docs/verify.md'), 'utf8');

/** Blocks of the page that show a command with its output and exit code. */
const EXAMPLES = [...PAGE.matchAll(/^```text\n\$ (slipway verify (\w+) [^\n]*); echo \$\?\n([^]*?)\n```$/gm)].map(
  ([, command = '', name = '', output = '']) => ({ command, name, output }),
);

const literal = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

const pattern = (output: string): RegExp =>
  new RegExp(
    `^${output
      .split('…')
      .map(literal)
      .join(String.raw`[^\n]+`)}$`,
  );

const CHAIN = { calls: 0, name: 'the endpoints' };

/**
 * Requires that docs/verify.md shows this verdict below the command of this name. In the page `…` stands for what
 * differs from run to run.
 */
export function expectShown(name: string, checks: readonly Check[]): void {
  const shown = EXAMPLES.filter((example) => example.name === name);
  expect(shown, `examples of verify ${name}`).toHaveLength(1);
  const [{ command, output }] = shown as [(typeof EXAMPLES)[number]];
  const accepted = /--accept (\w+)/.exec(command)?.[1];
  const { lines, exitCode } = verdictOf(checks, CHAIN, accepted === undefined ? [] : [accepted]);
  expect(`${lines.join('\n')}\n${exitCode}`).toMatch(pattern(output));
}
