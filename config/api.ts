import Type, { type Static } from 'typebox';
import type { ChainRules } from './chain-rules.ts';
import { readVariables, refuseProblems, type Variables } from './environment.ts';
import { networkFeeProblems, networkFeesConfig, type NetworkFeesConfig } from './network-fees.ts';
import { guessableKeys, isDefaultPassword, sharedProductionProblems, standInProblems } from './production.ts';
import { type ReadReplicaConfig, readReplicaConfig, readReplicaProblems } from './read-replica.ts';
import { type NamedKey, parseKeyList } from './secrets.ts';
import { sharedConfig, type SharedConfig, sharedProblems } from './shared.ts';
import { raisedLimits, type RateLimits, rateLimitsConfig } from './rate-limits.ts';
import { apiVariables, sharedVariables } from './variables.ts';

/** Environment variables of the API process. */
export const ApiVariablesSchema = Type.Object({ ...sharedVariables, ...apiVariables });

type ApiValues = Static<typeof ApiVariablesSchema>;

/** Configuration of the API process. */
export interface ApiConfig extends SharedConfig {
  readonly port: number;
  /** Newest first; the first seals, all open. */
  readonly quoteKeys: readonly NamedKey[];
  readonly adminPassword: string | undefined;
  /** Address of the treasury, base58. */
  readonly treasuryAddress: string | undefined;
  /** How tips and priority fees of launches are chosen. */
  readonly networkFees: NetworkFeesConfig;
  /** Addresses of proxies whose forwarding headers are believed; empty for none. */
  readonly trustedProxies: readonly string[];
  /** Hosts that a trusted proxy may name as the one that was asked, lower case. */
  readonly publicHosts: readonly string[];
  /** Where metrics are served; null for nowhere. */
  readonly metrics: { readonly host: string; readonly port: number } | null;
  readonly rateLimits: RateLimits;
  readonly rateLimitStore: 'memory' | 'postgres';
  readonly readReplica: ReadReplicaConfig | null;
  /** How endpoints are asked who holds a quote token. */
  readonly holderSource: 'plain' | 'paged' | 'das';
  /** How many launches may be under way that are not known to be paid. */
  readonly openLaunches: { readonly perCreator: number; readonly perClient: number };
  readonly submitWaitMs: number;
  /** How long a prepared claim can be submitted. */
  readonly claimValidMs: number;
  /** How long claimable fees are kept in this process, in seconds. */
  readonly claimableSeconds: number;
  /** Share of the graduation cap from which a token is about to graduate, in bps. */
  readonly aboutToGraduateBps: number;
  /** Where the built site lies; null where this process does not serve it. */
  readonly webDirectory: string | null;
  readonly desk: boolean;
  /** What this configuration must not be used on; known before the chain is. */
  readonly chainRules: ChainRules;
  /** Where the desk switches the local block engine's faults. */
  readonly blockEngineAdminUrl: string | undefined;
}

/** Reads the API's configuration. Throws a ConfigError that names every variable that is missing, malformed or refused. */
export function readApiConfig(variables: Variables): ApiConfig {
  const values = readVariables(ApiVariablesSchema, variables);
  const quoteKeys = parseKeyList('QUOTE_KEYS', values.QUOTE_KEYS);
  const onMainnet = productionProblems(values, quoteKeys);
  refuseProblems([
    ...sharedProblems(values),
    ...networkFeeProblems(values),
    ...(values.ENVIRONMENT === 'production' ? onMainnet : []),
  ]);
  return {
    ...sharedConfig(values),
    port: values.PORT,
    quoteKeys,
    adminPassword: values.ADMIN_PASSWORD,
    treasuryAddress: values.TREASURY_ADDRESS,
    networkFees: networkFeesConfig(values),
    trustedProxies: listOf(values.TRUST_PROXY),
    publicHosts: [new URL(values.SITE_URL).host, ...listOf(values.PUBLIC_HOSTS)].map((host) => host.toLowerCase()),
    metrics:
      values.API_METRICS_PORT === undefined ? null : { host: values.API_METRICS_HOST, port: values.API_METRICS_PORT },
    rateLimits: rateLimitsConfig(values),
    rateLimitStore: values.RATE_LIMIT_STORE,
    readReplica: readReplicaConfig(values),
    holderSource: values.HOLDER_SOURCE,
    openLaunches: { perCreator: values.OPEN_LAUNCHES_PER_WALLET, perClient: values.OPEN_LAUNCHES_PER_ADDRESS },
    submitWaitMs: values.SUBMIT_WAIT_SECONDS * 1000,
    claimValidMs: values.CLAIM_VALID_SECONDS * 1000,
    claimableSeconds: values.CLAIMABLE_SECONDS,
    aboutToGraduateBps: values.ABOUT_TO_GRADUATE_BPS,
    webDirectory: values.WEB_DIR ?? null,
    desk: values.DESK === '1',
    chainRules: { onMainnet, onPublicClusters: [...standInProblems(values), ...deskProblems(values)] },
    blockEngineAdminUrl: values.BLOCK_ENGINE_ADMIN_URL,
  };
}

function listOf(text = ''): string[] {
  return text.split(/[\s,]+/).filter(Boolean);
}

function productionProblems(values: ApiValues, quoteKeys: readonly NamedKey[]): string[] {
  const problems = [
    ...sharedProductionProblems(values),
    ...guessableKeys('QUOTE_KEYS', quoteKeys),
    ...deskProblems(values),
    ...readReplicaProblems(values),
  ];
  if (isDefaultPassword(values.ADMIN_PASSWORD) || (values.ADMIN_PASSWORD ?? '').length < 16) {
    problems.push('ADMIN_PASSWORD is absent, well-known or shorter than 16 characters, which is refused in production');
  }
  return [...problems, ...raisedLimits(values)];
}

/** The desk mints money, which must be nobody's but a local chain's. */
function deskProblems({ DESK, BLOCK_ENGINE_ADMIN_URL }: ApiValues): string[] {
  const problems = DESK === '1' ? ['DESK=1 is refused in production'] : [];
  return BLOCK_ENGINE_ADMIN_URL ? [...problems, 'BLOCK_ENGINE_ADMIN_URL is refused in production'] : problems;
}
