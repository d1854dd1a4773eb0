import { Gauge, type Metric } from 'prom-client';
import { errorText } from '../domain/error-text.ts';
import { within } from '../domain/within.ts';
import type { ReadyCheck } from './readiness.ts';

export const DEPENDENCIES = [
  'database',
  'read_replica',
  'temporal',
  'rpc',
  'block_engine',
  'storage',
  'stream',
] as const;

export interface Dependency {
  readonly name: (typeof DEPENDENCIES)[number];
  readonly endpoint?: string;
  /** Rejects if it fails the process's need. */
  readonly check: ReadyCheck;
}

export interface DependencyLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

/** Slower counts as down. */
const PATIENCE_MS = 2_000;

/** Checks at every scrape. A timeout is 0, never a missing series. */
export function createDependencyMeter(dependencies: readonly Dependency[], logger: DependencyLog): Metric {
  const down = new Set<Dependency>();
  const report = (dependency: Dependency, problem: string | null): void => {
    const { name, endpoint = '' } = dependency;
    if (problem === null) {
      if (down.delete(dependency)) logger.info({ dependency: name, endpoint }, 'a dependency answers again');
    } else if (!down.has(dependency)) {
      down.add(dependency);
      logger.warn({ dependency: name, endpoint, problem }, 'a dependency does not answer');
    }
  };
  return new Gauge({
    name: 'slipway_dependency_up',
    help: '1 where this dependency answered this process within 2 s and does what the process needs of it, else 0',
    labelNames: ['dependency', 'endpoint'],
    registers: [],
    async collect() {
      await Promise.all(
        dependencies.map(async (dependency) => {
          const { name, endpoint = '' } = dependency;
          const problem = await problemOf(dependency);
          report(dependency, problem);
          this.set({ dependency: name, endpoint }, problem === null ? 1 : 0);
        }),
      );
    },
  });
}

async function problemOf({ check }: Dependency): Promise<string | null> {
  try {
    await within(PATIENCE_MS, check());
    return null;
  } catch (error) {
    return errorText(error);
  }
}
