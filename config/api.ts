import Type, { type Static } from 'typebox';
import type { ChainRules } from './chain-rules.ts';
import { readVariables, refuseProblems, type Variables } from './environment.ts';
import { LATE_SUBMITS, unpaidLaunchesConfig } from './launch.ts';
import { networkFeeProblems, networkFeesConfig, type NetworkFeesConfig } from './network-fees.ts';
import { guessableKeys, isDefaultPassword, sharedProductionProblems } from './production.ts';
import { type ReadReplicaConfig, readReplicaConfig, readReplicaProblems } from './read-replica.ts';
import { rewardRules, type RewardRules } from './reward.ts';
import { type NamedKey, parseKeyList } from './secrets.ts';
import { sharedConfig, type SharedConfig, sharedProblems } from './shared.ts';
import { raisedLimits, rateLimitsConfig, type RateLimitsConfig } from './rate-limits.ts';
import {
  trustedProxiesConfig,
  trustedProxyProblems,
  type TrustedProxies,
  wideProxyProblems,
} from './trusted-proxies.ts';
import { apiVariables, sharedVariables } from './variables.ts';
import { workerSecretProblems } from './worker-secrets.ts';

export const ApiVariablesSchema = Type.Object({ ...sharedVariables, ...apiVariables });

type ApiValues = Static<typeof ApiVariablesSchema>;

interface ServerConfig {
  readonly port: number;
  readonly trustedProxies: TrustedProxies;
  /** Whether a cache in front gives one client's answers to others. */
  readonly hasSharedCache: boolean;
  /** A trusted proxy may report these, lower case. */
  readonly publicHosts: readonly string[];
  /** Null: not served. */
  readonly metrics: { readonly host: string; readonly port: number } | null;
  /** Folder of the built site; null if this process does not serve it. */
  readonly webDirectory: string | null;
  /** `mailto:` or `https:`; null: security.txt is not served. */
  readonly securityContact: string | null;
  readonly adminPassword: string | undefined;
}

interface LimitsConfig {
  readonly rateLimits: RateLimitsConfig;
  readonly rateLimitStore: 'memory' | 'postgres';
  /** Limits of launches that are not known to be paid. */
  readonly unpaidLaunches: ReturnType<typeof unpaidLaunchesConfig>;
  readonly lateSubmits: { readonly perClient: number; readonly inAll: number };
}

export interface ApiConfig extends SharedConfig, ServerConfig, LimitsConfig {
  /** Newest first; the first seals, all open. */
  readonly quoteKeys: readonly NamedKey[];
  /** Base58. */
  readonly treasuryAddress: string | undefined;
  readonly networkFees: NetworkFeesConfig;
  readonly readReplica: ReadReplicaConfig | null;
  readonly holderSource: 'plain' | 'paged' | 'das';
  readonly submitWaitMs: number;
  readonly claimValidMs: number;
  readonly claimableSeconds: number;
  readonly rewardRules: RewardRules;
  readonly chainRules: ChainRules;
}

/** @throws ConfigError with every missing, malformed or refused variable */
export function readApiConfig(variables: Variables): ApiConfig {
  const values = readVariables(ApiVariablesSchema, variables);
  const quoteKeys = parseKeyList('QUOTE_KEYS', values.QUOTE_KEYS);
  const onMainnet = [...productionProblems(values, quoteKeys), ...workerSecretProblems(variables)];
  refuseProblems([
    ...sharedProblems(values),
    ...networkFeeProblems(values),
    ...trustedProxyProblems(values),
    ...(values.ENVIRONMENT === 'production' ? onMainnet : []),
  ]);
  return {
    ...sharedConfig(values),
    port: values.PORT,
    quoteKeys,
    adminPassword: values.ADMIN_PASSWORD,
    treasuryAddress: values.TREASURY_ADDRESS,
    networkFees: networkFeesConfig(values),
    trustedProxies: trustedProxiesConfig(values),
    hasSharedCache: values.SHARED_CACHE === '1',
    publicHosts: [new URL(values.SITE_URL).host, ...listOf(values.PUBLIC_HOSTS)].map((host) => host.toLowerCase()),
    metrics:
      values.API_METRICS_PORT === undefined ? null : { host: values.API_METRICS_HOST, port: values.API_METRICS_PORT },
    rateLimits: rateLimitsConfig(values),
    rateLimitStore: values.RATE_LIMIT_STORE,
    readReplica: readReplicaConfig(values),
    holderSource: values.HOLDER_SOURCE,
    unpaidLaunches: unpaidLaunchesConfig(values),
    lateSubmits: LATE_SUBMITS,
    submitWaitMs: values.SUBMIT_WAIT_SECONDS * 1000,
    claimValidMs: values.CLAIM_VALID_SECONDS * 1000,
    claimableSeconds: values.CLAIMABLE_SECONDS,
    rewardRules: rewardRules(values),
    webDirectory: values.WEB_DIR ?? null,
    securityContact: values.SECURITY_CONTACT ?? null,
    chainRules: { onMainnet, onPublicClusters: [] },
  };
}

function listOf(text = ''): string[] {
  return text.split(/[\s,]+/).filter(Boolean);
}

function productionProblems(values: ApiValues, quoteKeys: readonly NamedKey[]): string[] {
  const problems = [
    ...sharedProductionProblems(values),
    ...guessableKeys('QUOTE_KEYS', quoteKeys),
    ...readReplicaProblems(values),
    ...wideProxyProblems(values),
  ];
  if (isDefaultPassword(values.ADMIN_PASSWORD) || (values.ADMIN_PASSWORD ?? '').length < 16) {
    problems.push('ADMIN_PASSWORD is absent, well-known or shorter than 16 characters, which is refused in production');
  }
  return [...problems, ...raisedLimits(values)];
}
