import { ApiVariablesSchema } from '../../config/api.ts';
import { describeVariables, type VariableDescription } from '../../config/describe.ts';
import { WorkerVariablesSchema } from '../../config/worker.ts';

const OF_API = describeVariables(ApiVariablesSchema);
const OF_WORKER = describeVariables(WorkerVariablesSchema);

function without(variables: readonly VariableDescription[], others: readonly VariableDescription[]): string {
  const names = new Set(others.map(({ name }) => name));
  return variables
    .filter(({ name }) => !names.has(name))
    .map(lineOf)
    .join('\n');
}

/** Lists variables of both processes; their descriptions must agree. */
export function variablesOfBoth(): string {
  const ofWorker = new Map(OF_WORKER.map((variable) => [variable.name, lineOf(variable)]));
  const lines = OF_API.filter(({ name }) => ofWorker.has(name)).map((variable) => {
    const line = lineOf(variable);
    if (ofWorker.get(variable.name) !== line)
      throw new Error(`${variable.name} differs between API and worker: ${line}`);
    return line;
  });
  return lines.join('\n');
}

export function variablesOfApi(): string {
  return without(OF_API, OF_WORKER);
}

export function variablesOfWorker(): string {
  return without(OF_WORKER, OF_API);
}

/** Describes a variable with its name as code: Markdown reads underscores as emphasis. */
function lineOf({ name, description, format, fallback, secret }: VariableDescription): string {
  const need = fallback === null ? 'required' : fallback && `default \`${fallback}\``;
  const about = [format.replace('whole number from ', ''), need, secret ? 'secret' : ''].filter(Boolean).join('; ');
  return `- \`${name}\` (${about}): ${description}`;
}
