import envSchema from 'env-schema';
import type { Static, TObject } from 'typebox';

/** What the process cannot start with: every variable that is missing or malformed, never the value of a secret. */
export class ConfigError extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`the configuration is not usable:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
    this.name = 'ConfigError';
    this.problems = problems;
  }
}

/** Raw environment variables, as `process.env`. */
export type Variables = Readonly<Record<string, string | undefined>>;

interface SchemaProblem {
  readonly keyword: string;
  readonly instancePath: string;
  readonly message?: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/**
 * Reads the variables a schema names: coerces numbers, fills in defaults, ignores all others. A blank variable counts as absent.
 * Throws a {@link ConfigError} that names every variable that does not fit; values of `writeOnly` variables are not repeated.
 */
export function readVariables<S extends TObject>(schema: S, variables: Variables): Static<S> {
  const given = Object.fromEntries(
    Object.entries(variables).filter(([name, value]) => name in schema.properties && value?.trim()),
  );
  try {
    return envSchema<Static<S>>({ schema: copyOf(schema), data: given, env: false });
  } catch (error) {
    if (!isSchemaFailure(error)) throw error;
    throw new ConfigError(error.errors.map((problem) => describeProblem(schema, given, problem)));
  }
}

const copies = new WeakMap<TObject, object>();

/** A copy, because env-schema writes `additionalProperties` into what it is given; always the same, because it compiles each schema that it has not seen. */
function copyOf(schema: TObject): object {
  const copy = copies.get(schema) ?? { ...schema };
  copies.set(schema, copy);
  return copy;
}

/** Throws a {@link ConfigError} unless the list is empty. */
export function refuseProblems(problems: readonly string[]): void {
  if (problems.length > 0) throw new ConfigError(problems);
}

function isSchemaFailure(error: unknown): error is Error & { errors: SchemaProblem[] } {
  return error instanceof Error && 'errors' in error && Array.isArray(error.errors);
}

function describeProblem(schema: TObject, given: Variables, problem: SchemaProblem): string {
  if (problem.keyword === 'required') return `${String(problem.params['missingProperty'])} is not set`;
  const name = problem.instancePath.slice(1);
  const property = schema.properties[name];
  const secret = property !== undefined && 'writeOnly' in property && property.writeOnly === true;
  const got = secret ? '' : `, got "${given[name] ?? ''}"`;
  return `${name} ${requirement(problem, property)}${got}`;
}

function requirement(problem: SchemaProblem, property: object | undefined): string {
  if (problem.keyword === 'enum') {
    const allowed: unknown = problem.params['allowedValues'];
    return `must be one of ${Array.isArray(allowed) ? allowed.join(', ') : ''}`;
  }
  if (problem.keyword === 'pattern' && property && 'title' in property) return `must be ${String(property.title)}`;
  return problem.message ?? 'is malformed';
}
