import type { Static, TObject } from 'typebox';
import { pricesConfig, type PricesConfig } from './prices.ts';
import { readStorage, type StorageConfig, storageProblems } from './storage.ts';
import { type TemporalConnection, temporalConnection, temporalProblems } from './temporal.ts';
import { traceProblems, type TracesConfig, tracesConfig } from './traces.ts';
import type { sharedVariables } from './variables.ts';

/** Configuration that every process of the service has. */
export interface SharedConfig {
  readonly environment: string;
  readonly isProduction: boolean;
  readonly logLevel: string;
  readonly host: string;
  /** Platform origin without a trailing slash. */
  readonly siteUrl: string;
  readonly database: { readonly url: string; readonly poolSize: number };
  readonly temporal: { readonly connection: TemporalConnection; readonly namespace: string };
  readonly solana: { readonly rpcUrls: readonly [string, ...string[]]; readonly wsUrl: string | undefined };
  readonly exchange: ExchangeConfig;
  readonly storage: StorageConfig;
  readonly prices: PricesConfig;
  /** Mint of the platform token; null where there is none. */
  readonly platformToken: string | null;
  readonly shutdownGraceMs: number;
  /** Where traces go; null for nowhere. */
  readonly traces: TracesConfig | null;
}

/**
 * Which exchange adapter. The real one needs the lookup table (base58) that its transactions fit a packet with, the stand-in
 * the seed of its pool authorities (32 bytes).
 */
export type ExchangeConfig =
  | { readonly kind: 'raydium'; readonly lookupTable: string }
  | { readonly kind: 'local'; readonly seed: Uint8Array };

type SharedValues = Static<TObject<typeof sharedVariables>>;

/** The shared part of a configuration, out of validated variables. */
export function sharedConfig(values: SharedValues): SharedConfig {
  const [first = '', ...others] = values.SOLANA_RPC_URL.split(',');
  return {
    environment: values.ENVIRONMENT,
    isProduction: values.ENVIRONMENT === 'production',
    logLevel: values.LOG_LEVEL,
    host: values.HOST,
    siteUrl: values.SITE_URL.replace(/\/+$/, ''),
    database: { url: values.DATABASE_URL, poolSize: values.DATABASE_POOL_SIZE },
    temporal: {
      connection: temporalConnection(values.TEMPORAL_ADDRESS, values),
      namespace: values.TEMPORAL_NAMESPACE,
    },
    solana: { rpcUrls: [first, ...others], wsUrl: values.SOLANA_WS_URL },
    exchange: exchangeConfig(values),
    storage: readStorage(values),
    prices: pricesConfig(values),
    platformToken: values.PLATFORM_TOKEN_MINT ?? null,
    shutdownGraceMs: values.SHUTDOWN_GRACE_SECONDS * 1000,
    traces: tracesConfig(values),
  };
}

/** What does not fit together in any environment. */
export function sharedProblems(values: SharedValues): string[] {
  return [
    ...belongsTo('local', 'STAND_IN_SEED', values),
    ...belongsTo('raydium', 'LOOKUP_TABLE', values),
    ...storageProblems(values),
    ...temporalProblems(values),
    ...traceProblems(values),
  ];
}

/** A variable that one exchange needs and the other has no use for. */
function belongsTo(
  exchange: SharedValues['EXCHANGE'],
  name: 'STAND_IN_SEED' | 'LOOKUP_TABLE',
  values: SharedValues,
): string[] {
  const isSet = values[name] !== undefined;
  if (values.EXCHANGE === exchange) return isSet ? [] : [`${name} is not set, but EXCHANGE=${exchange} needs it`];
  return isSet ? [`${name} is set, but EXCHANGE is not ${exchange}`] : [];
}

function exchangeConfig(values: SharedValues): ExchangeConfig {
  if (values.EXCHANGE === 'raydium') return { kind: 'raydium', lookupTable: values.LOOKUP_TABLE ?? '' };
  return { kind: 'local', seed: Uint8Array.from(Buffer.from(values.STAND_IN_SEED ?? '', 'base64')) };
}
