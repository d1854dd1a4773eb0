import { describeVariables } from '../../config/describe.ts';
import { WorkerVariablesSchema } from '../../config/worker.ts';
import { ROUNDS } from '../../worker/rounds.ts';

const VARIABLES = new Map(describeVariables(WorkerVariablesSchema).map((variable) => [variable.name, variable]));

export function roundsText(): string {
  return ROUNDS.map(({ scheduleId }) => lineOf(scheduleId)).join('\n');
}

function lineOf(scheduleId: string): string {
  const name = `${scheduleId.toUpperCase().replaceAll('-', '_')}_EVERY_SECONDS`;
  const variable = VARIABLES.get(name);
  if (!variable)
    throw new Error(`schedule ${scheduleId} needs the variable ${name} in config/: the id of a schedule names it`);
  const what = variable.description
    .replace(/, in seconds$/, '')
    .replace(/^How often (.)/, (_, first: string) => first.toUpperCase());
  return `- \`${scheduleId}\` (every ${variable.fallback} s, \`${name}\`): ${what}`;
}
