import type { TLocalizedValidationError } from 'typebox/error';

const PART_NAMES: Readonly<Record<string, string>> = {
  querystring: 'query parameter',
  params: 'path parameter',
  headers: 'header',
  body: 'body field',
};

const MOST_PROBLEMS = 5;
const LONGEST_VALUE = 60;
const DEEPEST = 4;
const WIDEST = 20;

/** Says what is wrong with a part of a request: each problem names its parameter and what was sent, shortened. */
export function describeProblems(part: string, value: unknown, problems: readonly TLocalizedValidationError[]): string {
  const name = PART_NAMES[part] ?? part;
  const texts = problems.flatMap((problem) => describeProblem(name, value, problem));
  return [...new Set(texts)].slice(0, MOST_PROBLEMS).join('; ') || `the ${part} is not valid`;
}

function describeProblem(part: string, value: unknown, problem: TLocalizedValidationError): string[] {
  const path = problem.instancePath.split('/').slice(1).map(unescapePointer);
  switch (problem.keyword) {
    // The companion of `additionalProperties`, which names the field.
    case 'boolean':
      return [];
    case 'additionalProperties':
      return problem.params.additionalProperties.map((field) => `unknown ${part} ${quote([...path, field].join('.'))}`);
    case 'required':
      return problem.params.requiredProperties.map(
        (field) => `${part} ${quote([...path, field].join('.'))} is missing`,
      );
    default:
      if (path.length === 0) return [`the ${part.split(' ')[0] ?? part} must be a JSON object`];
      return [`${part} ${quote(path.join('.'))} ${requirement(problem)}, got ${shorten(at(value, path))}`];
  }
}

function requirement(problem: TLocalizedValidationError): string {
  if (problem.keyword === 'enum') return `must be one of ${problem.params.allowedValues.map(String).join(', ')}`;
  return problem.message;
}

function at(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (inner, key) =>
      typeof inner === 'object' && inner !== null ? Object.getOwnPropertyDescriptor(inner, key)?.value : undefined,
    value,
  );
}

function unescapePointer(text: string): string {
  return text.replaceAll('~1', '/').replaceAll('~0', '~');
}

function quote(name: string): string {
  return shorten(name);
}

/** A copy of a value without what nobody would be shown: JSON may nest deeper than the stack, or be as long as a body. */
function pruned(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return value.slice(0, LONGEST_VALUE + 1);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return depth === 0 ? ['…'] : value.slice(0, WIDEST).map((item) => pruned(item, depth - 1));
  if (depth === 0) return { '…': '…' };
  const entries = Object.entries(value).slice(0, WIDEST);
  return Object.fromEntries(entries.map(([key, item]) => [key, pruned(item, depth - 1)]));
}

/** A value as JSON, cut so that a logo or a transaction is never sent back whole. */
function shorten(value: unknown): string {
  const text = JSON.stringify(pruned(value, DEEPEST)) ?? 'nothing';
  return text.length <= LONGEST_VALUE ? text : `${text.slice(0, LONGEST_VALUE)}…`;
}
