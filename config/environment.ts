import envSchema from 'env-schema';
import type { Static, TObject } from 'typebox';

/** Names every missing or malformed variable, never a secret's value. */
export class ConfigError extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`the configuration is not usable:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
    this.name = 'ConfigError';
    this.problems = problems;
  }
}

/** Variables in the form of `process.env`. */
export type Variables = Readonly<Record<string, string | undefined>>;

interface SchemaProblem {
  readonly keyword: string;
  readonly instancePath: string;
  readonly message?: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/**
 * Coerces numbers, fills in defaults; blank counts as absent.
 *
 * @throws {@link ConfigError} with every invalid variable; `writeOnly` values are not repeated
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

/** Returns always the same copy: env-schema writes into its input and compiles each new schema. */
function copyOf(schema: TObject): object {
  const copy = copies.get(schema) ?? { ...schema };
  copies.set(schema, copy);
  return copy;
}

/** @throws {@link ConfigError} unless empty */
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
