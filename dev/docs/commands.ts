import type { Command } from 'commander';
import { raydiumAdapter } from '../../chain/exchange/raydium/raydium-adapter.ts';
import { createProgram } from '../../ops/program.ts';

export function commandsText(): string {
  const io = { env: {}, stackFile: '', user: () => '', exchange: raydiumAdapter, write: () => undefined };
  return createProgram(io).commands.map(lineOf).join('\n');
}

/** One line for a group with its commands, or for a command without any; `--help` has their descriptions. */
function lineOf(command: Command): string {
  const spelled = (one: Command): string => `\`${[one.name(), ...namesOf(one)].join(' ')}\``;
  if (command.commands.length === 0) return `- ${spelled(command)}: ${command.description()}`;
  return `- \`${command.name()}\`: ${command.commands.map(spelled).join(', ')}`;
}

function namesOf(command: Command): string[] {
  return command.registeredArguments.map((argument) => {
    const name = argument.name().toUpperCase();
    return argument.required ? name : `[${name}]`;
  });
}
