import type { TSchema } from 'typebox';
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

/** Does not match its schema. */
interface Misfit {
  readonly part: string;
  readonly schema: TSchema;
  readonly value: unknown;
  readonly problems: readonly TLocalizedValidationError[];
}

export function describeProblems({ part, schema, value, problems }: Misfit): string {
  const name = PART_NAMES[part] ?? part;
  const texts = problems.flatMap((problem) => describeProblem(name, schema, value, problem));
  return [...new Set(texts)].slice(0, MOST_PROBLEMS).join('; ') || `the ${part} is not valid`;
}

function describeProblem(part: string, schema: TSchema, value: unknown, problem: TLocalizedValidationError): string[] {
  const path = problem.instancePath.split('/').slice(1).map(unescapePointer);
  switch (problem.keyword) {
    // Accompanies `additionalProperties`, which names the field.
    case 'boolean':
      return [];
    case 'additionalProperties':
      return problem.params.additionalProperties.map((field) => `unknown ${part} ${quote([...path, field].join('.'))}`);
    case 'required':
      return problem.params.requiredProperties.map(
        (field) => `${part} ${quote([...path, field].join('.'))} is missing`,
      );
    default:
      return [problemOfValue(part, schema, path, at(value, path), problem)];
  }
}

function problemOfValue(
  part: string,
  schema: TSchema,
  path: readonly string[],
  got: unknown,
  problem: TLocalizedValidationError,
): string {
  if (path.length === 0) return `the ${part.split(' ')[0] ?? part} must be a JSON object`;
  const name = `${part} ${quote(path.join('.'))}`;
  if (part === 'query parameter' && Array.isArray(got)) return `${name} is given ${got.length} times; give it once`;
  return `${name} ${requirement(problem, propertyOf(schema, path))}, got ${shorten(got)}`;
}

interface WordedSchema {
  /** The pattern in words. */
  readonly 'x-must'?: unknown;
}

function propertyOf(schema: TSchema, [name]: readonly string[]): WordedSchema {
  const properties: unknown = 'properties' in schema ? schema.properties : undefined;
  const property = at(properties, name === undefined ? [] : [name]);
  return typeof property === 'object' && property !== null ? property : {};
}

const TYPE_NAMES: Readonly<Record<string, string>> = {
  string: 'text',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  object: 'an object',
  array: 'a list',
};

function requirement(problem: TLocalizedValidationError, property: WordedSchema): string {
  switch (problem.keyword) {
    case 'enum':
      return `must be one of ${problem.params.allowedValues.map(String).join(', ')}`;
    case 'type':
      return `must be ${[problem.params.type].flat().map(typeName).join(' or ')}`;
    case 'minimum':
    case 'maximum':
      return `must be at ${problem.keyword === 'minimum' ? 'least' : 'most'} ${problem.params.limit}`;
    case 'minLength':
      return problem.params.limit === 1 ? 'must not be empty' : problem.message;
    case 'pattern':
      return typeof property['x-must'] === 'string' ? `must be ${property['x-must']}` : problem.message;
    default:
      return problem.message;
  }
}

function typeName(type: string): string {
  return TYPE_NAMES[type] ?? type;
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

/** Bounded: JSON may nest deeper than the stack. */
function pruned(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return value.slice(0, LONGEST_VALUE + 1);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return depth === 0 ? ['…'] : value.slice(0, WIDEST).map((item) => pruned(item, depth - 1));
  if (depth === 0) return { '…': '…' };
  const entries = Object.entries(value).slice(0, WIDEST);
  return Object.fromEntries(entries.map(([key, item]) => [key, pruned(item, depth - 1)]));
}

/** A logo or transaction is never returned whole. */
function shorten(value: unknown): string {
  const text = JSON.stringify(pruned(value, DEEPEST)) ?? 'nothing';
  return text.length <= LONGEST_VALUE ? text : `${text.slice(0, LONGEST_VALUE)}…`;
}
