export interface Found {
  readonly value: string;
  readonly from: string;
}

export interface Check {
  readonly name: string;
  /** `different`: two sources contradict each other. `unprovable`: the given sources do not suffice. */
  readonly status: 'proven' | 'different' | 'unprovable';
  /** The comparison, or the missing part. */
  readonly how: string;
  /** Both values of a difference. */
  readonly expected?: Found;
  readonly found?: Found;
}

/** Two sources contradict each other. */
export class Difference extends Error {
  readonly expected: Found;
  readonly found: Found;

  constructor(how: string, expected: Found, found: Found) {
    super(how);
    this.name = 'Difference';
    this.expected = expected;
    this.found = found;
  }
}

/** No proof is possible; nothing contradicts the statement either. */
export class NotProvable extends Error {
  constructor(how: string, cause?: unknown) {
    super(how, { cause });
    this.name = 'NotProvable';
  }
}

/** @throws Difference */
export function mustEqual(how: string, expected: Found, found: Found): void {
  if (expected.value !== found.value) throw new Difference(how, expected, found);
}

/** Runs checks in order. The caller leaves out a check that needs the value of a failed one. */
export interface Checks {
  /** The text says what was proven; null without a proof. */
  run<T>(name: string, check: () => Promise<Outcome<T>> | Outcome<T>): Promise<T | null>;
  readonly done: readonly Check[];
}

export interface Outcome<T> {
  readonly how: string;
  readonly value: T;
}

/** Errors other than {@link Difference} and {@link NotProvable} end the command. */
export function createChecks(): Checks {
  const done: Check[] = [];
  return {
    done,
    async run(name, check) {
      try {
        const { how, value } = await check();
        done.push({ name, status: 'proven', how });
        return value;
      } catch (error) {
        done.push(failureOf(name, error));
        return null;
      }
    },
  };
}

/** Other errors are thrown again. */
export function failureOf(name: string, error: unknown): Check {
  if (error instanceof Difference) {
    const { message: how, expected, found } = error;
    return { name, status: 'different', how, expected, found };
  }
  if (error instanceof NotProvable) return { name, status: 'unprovable', how: error.message };
  throw error;
}

/** Returns 0 if all is proven; 1 for a difference; 2 for something not provable from here. */
export function exitCodeOf(checks: readonly Check[]): 0 | 1 | 2 {
  if (checks.some(({ status }) => status === 'different')) return 1;
  return checks.every(({ status }) => status === 'proven') && checks.length > 0 ? 0 : 2;
}
