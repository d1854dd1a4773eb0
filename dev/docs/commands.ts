import type { Command } from 'commander';
import { createProgram } from '../../ops/program.ts';

/** Every command of the operators with its arguments and what it does. */
export function commandsText(): string {
  const io = { env: {}, stackFile: '', user: () => '', write: () => undefined };
  return leavesOf(createProgram(io), []).join('\n');
}

function leavesOf(command: Command, path: readonly string[]): string[] {
  return command.commands.flatMap((child) => {
    const here = [...path, child.name()];
    return child.commands.length === 0 ? [lineOf(child, here)] : leavesOf(child, here);
  });
}

function lineOf(command: Command, path: readonly string[]): string {
  const names = command.registeredArguments.map((argument) => {
    const name = argument.name().toUpperCase();
    return argument.required ? name : `[${name}]`;
  });
  return `- \`${[...path, ...names].join(' ')}\`: ${command.description()}`;
}
