import { PublicKey } from '@solana/web3.js';
import { type ApiConfig, readApiConfig } from '../../../../config/api.ts';
import { assertFitsChain, type ChainRules } from '../../../../config/chain-rules.ts';
import { ConfigError, type Variables } from '../../../../config/environment.ts';
import type { SharedConfig } from '../../../../config/shared.ts';
import { readWorkerConfig, type WorkerConfig } from '../../../../config/worker.ts';
import { type Finding, ok, problem } from './finding.ts';

/** The processes that a configuration can be for. */
export const PROCESSES = ['api', 'worker'] as const;
export type Process = (typeof PROCESSES)[number];

/** What is to be examined: the configuration of one process, or of both. */
export interface Configuration {
  readonly shared: SharedConfig;
  readonly api: ApiConfig | null;
  readonly worker: WorkerConfig | null;
}

const REMEDY = 'docs/configuration.md says what each variable takes';

/** Stands in for a lookup table that nobody has made yet: the address of a program. */
export const NO_TABLE = PublicKey.default.toBase58();

/**
 * Reads the variables as the processes themselves do. Null where none of them could start, with what is wrong. A lookup table is
 * made when all else works: without one the rest is read, and `groundFindings` misses the table.
 */
export function readConfiguration(
  given: Variables,
  processes: readonly Process[],
): { readonly configuration: Configuration | null; readonly findings: readonly Finding[] } {
  const env = lacksTable(given) ? { ...given, LOOKUP_TABLE: NO_TABLE } : given;
  const findings: Finding[] = [];
  const read = <T>(process: Process, parse: (env: Variables) => T): T | null => {
    if (!processes.includes(process)) return null;
    const parsed = orProblems(() => parse(env));
    if ('value' in parsed) {
      findings.push(ok('configuration', `the ${process} takes its variables`));
      return parsed.value;
    }
    findings.push(...parsed.problems.map((text) => problem('configuration', `${process}: ${text}`, REMEDY)));
    return null;
  };
  const [api, worker] = [read('api', readApiConfig), read('worker', readWorkerConfig)];
  const shared = api ?? worker;
  return { configuration: shared && { shared, api, worker }, findings };
}

const lacksTable = ({ EXCHANGE, LOOKUP_TABLE }: Variables) => EXCHANGE === 'raydium' && !LOOKUP_TABLE?.trim();

/** What the chain that the endpoints turned out to be of refuses. */
export function chainFindings({ api, worker }: Configuration, genesisHash: string): Finding[] {
  const of = (process: Process, rules: ChainRules | undefined): Finding[] => {
    if (!rules) return [];
    const fit = orProblems(() => assertFitsChain(rules, genesisHash));
    if ('value' in fit) return [];
    return fit.problems.map((text) => problem('configuration', `${process}: ${text}`, REMEDY));
  };
  return [...of('api', api?.chainRules), ...of('worker', worker?.chainRules)];
}

function orProblems<T>(read: () => T): { readonly value: T } | { readonly problems: readonly string[] } {
  try {
    return { value: read() };
  } catch (error) {
    if (error instanceof ConfigError) return { problems: error.problems };
    throw error;
  }
}
