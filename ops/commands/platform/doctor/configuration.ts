import { PublicKey } from '@solana/web3.js';
import { type ApiConfig, readApiConfig } from '../../../../config/api.ts';
import { assertFitsChain, type ChainRules } from '../../../../config/chain-rules.ts';
import { ConfigError, type Variables } from '../../../../config/environment.ts';
import type { SharedConfig } from '../../../../config/shared.ts';
import { readWorkerConfig, type WorkerConfig } from '../../../../config/worker.ts';
import { withoutWorkerSecrets } from '../../../../config/worker-secrets.ts';
import { type Finding, ok, problem } from './finding.ts';

export const PROCESSES = ['api', 'worker'] as const;
export type Process = (typeof PROCESSES)[number];

export interface Configuration {
  readonly shared: SharedConfig;
  readonly api: ApiConfig | null;
  readonly worker: WorkerConfig | null;
}

const REMEDY = 'docs/configuration.md says what each variable takes';

/** Address in place of a table that does not exist yet. */
export const NO_TABLE = PublicKey.default.toBase58();

/**
 * Reads what the processes read; null with findings. A missing table stops nothing here: `exchangeFindings` reports it.
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
  // The operator has both processes' variables in one environment.
  const ofApi = (all: Variables) => readApiConfig(processes.length > 1 ? withoutWorkerSecrets(all) : all);
  const [api, worker] = [read('api', ofApi), read('worker', readWorkerConfig)];
  const shared = api ?? worker;
  return { configuration: shared && { shared, api, worker }, findings };
}

const lacksTable = ({ LOOKUP_TABLE }: Variables) => !LOOKUP_TABLE?.trim();

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
