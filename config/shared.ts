import type { Static, TObject } from 'typebox';
import { pricesConfig, type PricesConfig } from './prices.ts';
import { readStorage, type StorageConfig, storageProblems } from './storage.ts';
import { type TemporalConnection, temporalConnection, temporalProblems } from './temporal.ts';
import { traceProblems, type TracesConfig, tracesConfig } from './traces.ts';
import type { sharedVariables } from './variables.ts';

interface ProcessConfig {
  readonly environment: string;
  readonly isProduction: boolean;
  readonly logLevel: string;
  readonly host: string;
  readonly instanceId: string | null;
  readonly shutdownGraceMs: number;
  /** Null: none. */
  readonly traces: TracesConfig | null;
}

interface PartsConfig {
  readonly database: { readonly url: string; readonly poolSize: number };
  readonly temporal: { readonly connection: TemporalConnection; readonly namespace: string };
  readonly solana: { readonly rpcUrls: readonly [string, ...string[]]; readonly wsUrl: string | undefined };
  readonly storage: StorageConfig;
  readonly prices: PricesConfig;
  /** Address lookup table of launch transactions, base58. */
  readonly lookupTable: string;
}

interface PlatformConfig {
  /** Without a trailing slash. */
  readonly siteUrl: string;
  /** Hourly limit per pair of dev buys from the treasury, USD, exact decimal. */
  readonly devBuyHourUsd: string;
  /** Mint; null without a platform token. */
  readonly platformToken: string | null;
}

export interface SharedConfig extends ProcessConfig, PartsConfig, PlatformConfig {}

type SharedValues = Static<TObject<typeof sharedVariables>>;

export function sharedConfig(values: SharedValues): SharedConfig {
  const [first = '', ...others] = values.SOLANA_RPC_URL.split(',');
  return {
    environment: values.ENVIRONMENT,
    isProduction: values.ENVIRONMENT === 'production',
    logLevel: values.LOG_LEVEL,
    host: values.HOST,
    instanceId: values.INSTANCE_ID ?? null,
    siteUrl: values.SITE_URL.replace(/\/+$/, ''),
    database: { url: values.DATABASE_URL, poolSize: values.DATABASE_POOL_SIZE },
    temporal: {
      connection: temporalConnection(values.TEMPORAL_ADDRESS, values),
      namespace: values.TEMPORAL_NAMESPACE,
    },
    solana: { rpcUrls: [first, ...others], wsUrl: values.SOLANA_WS_URL },
    lookupTable: values.LOOKUP_TABLE,
    storage: readStorage(values),
    prices: pricesConfig(values),
    devBuyHourUsd: String(values.DEV_BUY_HOUR_USD),
    platformToken: values.PLATFORM_TOKEN_MINT ?? null,
    shutdownGraceMs: values.SHUTDOWN_GRACE_SECONDS * 1000,
    traces: tracesConfig(values),
  };
}

export function sharedProblems(values: SharedValues): string[] {
  return [...storageProblems(values), ...temporalProblems(values), ...traceProblems(values)];
}
