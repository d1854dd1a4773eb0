import Type from 'typebox';
import { airdropVariables, holderVariables } from './airdrop.ts';
import { buybackVariables } from './buyback.ts';
import { claimVariables, preparedClaimVariables } from './claim.ts';
import { feeSweepVariables } from './fee-sweep.ts';
import { networkFeeVariables } from './network-fees.ts';
import { launchVariables, openLaunchVariables } from './launch.ts';
import { seedVariables } from './launch-seeds.ts';
import { graduationVariables, marketVariables } from './market.ts';
import { moneyVariables } from './money.ts';
import { priceVariables } from './prices.ts';
import { rateLimitVariables } from './rate-limits.ts';
import { readReplicaVariables } from './read-replica.ts';
import { restockVariables } from './restock.ts';
import { rewardVariables } from './reward.ts';
import { BASE64_32, KEY_LIST } from './secrets.ts';
import { signerVariables } from './signers.ts';
import { storageVariables } from './storage.ts';
import { temporalSecurityVariables } from './temporal.ts';
import { traceVariables } from './traces.ts';
import { tradingVariables } from './trading.ts';
import { workerVersionVariables } from './worker-version.ts';

/** `title` says in words what a pattern asks for, `writeOnly` marks secrets; both are used by error messages and the docs. */
const url = (schemes: string, title: string, description: string) =>
  Type.String({ pattern: `^(${schemes})://[^\\s]+$`, title, description });

const secret = (pattern: string, title: string, description: string) =>
  Type.String({ pattern, title, description, writeOnly: true });

const ADDRESS = '^[1-9A-HJ-NP-Za-km-z]{32,44}$';

/** Variables that the API and the worker share. */
export const sharedVariables = {
  ENVIRONMENT: Type.String({
    pattern: '^[a-z][a-z0-9-]{0,31}$',
    title: 'a lower-case word of at most 32 letters, digits and hyphens',
    default: 'local',
    description:
      'Name of this installation, part of every derived key; "production" refuses everything made for local use before the chain is asked, which refuses it on mainnet whatever the name',
  }),
  LOG_LEVEL: Type.Enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'], {
    default: 'info',
    description: 'Least severe level that is logged',
  }),
  HOST: Type.String({ default: '127.0.0.1', description: 'Address the process listens on' }),
  SITE_URL: url('https?', 'an http or https URL', 'Platform origin, for links in answers and metadata'),
  DATABASE_URL: Type.String({
    pattern: '^postgres(ql)?://[^\\s]+$',
    title: 'a postgres:// URL',
    description: 'PostgreSQL database with its credentials',
    writeOnly: true,
  }),
  DATABASE_POOL_SIZE: Type.Integer({
    minimum: 1,
    maximum: 200,
    default: 10,
    description: 'Most connections to the database at once',
  }),
  TEMPORAL_ADDRESS: Type.String({
    pattern: '^[^\\s:/]+:\\d{1,5}$',
    title: 'host:port',
    description: 'gRPC address of the Temporal server',
  }),
  TEMPORAL_NAMESPACE: Type.String({ default: 'default', description: 'Temporal namespace' }),
  ...temporalSecurityVariables,
  SOLANA_RPC_URL: Type.String({
    pattern: '^https?://[^\\s,]+(,https?://[^\\s,]+)*$',
    title: 'one or more http or https URLs, separated by commas',
    description: 'Solana JSON-RPC endpoints; with two or more, what decides about money needs the word of two of them',
    writeOnly: true,
  }),
  SOLANA_WS_URL: Type.Optional(
    Type.String({
      pattern: '^wss?://[^\\s]+$',
      title: 'a ws or wss URL',
      description: 'Solana websocket endpoint; derived from the first RPC endpoint when absent',
      writeOnly: true,
    }),
  ),
  EXCHANGE: Type.Enum(['local', 'raydium'], {
    description: 'Exchange adapter; `local` is a stand-in for an offline machine and refused in production',
  }),
  STAND_IN_SEED: Type.Optional(
    secret(
      `^${BASE64_32}$`,
      '32 bytes in base64',
      'Seed of the local exchange; needed with EXCHANGE=local, refused otherwise',
    ),
  ),
  LOOKUP_TABLE: Type.Optional(
    Type.String({
      pattern: ADDRESS,
      title: 'a Solana address in base58',
      description:
        'Address lookup table of the launch transactions; needed with EXCHANGE=raydium, refused otherwise. `npm run ops -- lookup-table create` makes it',
    }),
  ),
  ...storageVariables,
  ...priceVariables,
  ...traceVariables,
  ...graduationVariables,
  PLATFORM_TOKEN_MINT: Type.Optional(
    Type.String({
      pattern: ADDRESS,
      title: 'a Solana address in base58',
      description:
        'Mint of the platform token, launched here, that revenue buys back and burns; without it the share of the revenue accumulates',
    }),
  ),
  SHUTDOWN_GRACE_SECONDS: Type.Integer({
    minimum: 1,
    maximum: 300,
    default: 15,
    description: 'Longest wait for work in flight at shutdown, in seconds',
  }),
};

/** Variables of the API process only. */
export const apiVariables = {
  PORT: Type.Integer({
    minimum: 0,
    maximum: 65_535,
    default: 8080,
    description: 'Port of the API; 0 takes a free one',
  }),
  API_METRICS_PORT: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 65_535,
      description: 'Port of the metrics endpoint, for Prometheus; 0 takes a free one, without it there is none',
    }),
  ),
  API_METRICS_HOST: Type.String({
    default: '127.0.0.1',
    description: 'Address the metrics endpoint listens on; it is not for the public',
  }),
  QUOTE_KEYS: secret(
    KEY_LIST,
    'a list kid:base64(32 bytes)[,kid:base64(32 bytes)]',
    'Keys that seal quotes, newest first; the first seals, all open',
  ),
  ADMIN_PASSWORD: Type.Optional(
    secret(
      '^\\S{8,200}$',
      'at least 8 characters without white space',
      'Header x-admin-password for reward launches while they are admin-only',
    ),
  ),
  TREASURY_ADDRESS: Type.Optional(
    Type.String({
      pattern: ADDRESS,
      title: 'a Solana address in base58',
      description: 'Address of the treasury, whose quote tokens pay for dev buys; without it there are none',
    }),
  ),
  ...networkFeeVariables,
  TRUST_PROXY: Type.Optional(
    Type.String({
      pattern: '^[0-9a-fA-F.:/, ]+$',
      title: 'IP addresses or CIDR ranges, separated by commas',
      description: 'Proxies whose X-Forwarded-* headers name the client; absent, the headers are ignored',
    }),
  ),
  PUBLIC_HOSTS: Type.Optional(
    Type.String({
      pattern: '^[A-Za-z0-9.:-]+([, ]+[A-Za-z0-9.:-]+)*$',
      title: 'host names, with a port where it is not the default, separated by commas',
      description:
        'Hosts besides that of SITE_URL under which clients reach the API through TRUST_PROXY; `servers` of the OpenAPI document names no other',
    }),
  ),
  ...rateLimitVariables,
  ...readReplicaVariables,
  ...holderVariables,
  ...openLaunchVariables,
  ...preparedClaimVariables,
  SUBMIT_WAIT_SECONDS: Type.Integer({
    minimum: 1,
    maximum: 120,
    default: 30,
    description: 'How long a submit waits for the outcome before it answers `processing`, in seconds',
  }),
  WEB_DIR: Type.Optional(
    Type.String({
      pattern: '^/[^\\s]+$',
      title: 'an absolute path',
      description:
        'Directory of the built site, which is then served at SITE_URL; without it something else serves the site',
    }),
  ),
  DESK: Type.Enum(['0', '1'], {
    default: '0',
    description: '1 serves the desk under /local that funds wallets and injects faults; embedded chain only',
  }),
  BLOCK_ENGINE_ADMIN_URL: Type.Optional(
    url('http', 'an http URL', 'Where the local block engine switches its faults, for the desk; embedded chain only'),
  ),
};

/** Variables of the worker process only. */
export const workerVariables = {
  ...workerVersionVariables,
  ...airdropVariables,
  WORKER_PORT: Type.Integer({
    minimum: 0,
    maximum: 65_535,
    default: 8081,
    description: 'Port of the health and metrics endpoint; 0 takes a free one',
  }),
  BLOCK_ENGINE_URL: Type.String({
    pattern: '^(https?://)?[^\\s/:]+(:\\d{1,5})?$',
    title: 'host, http://host:port or https://host:port',
    description: 'Jito block engine; http:// is plaintext gRPC, https:// or a bare host is TLS',
  }),
  ...launchVariables,
  ...claimVariables,
  ...marketVariables,
  ...moneyVariables,
  ...restockVariables,
  ...feeSweepVariables,
  ...buybackVariables,
  ...rewardVariables,
  ...tradingVariables,
  ...seedVariables,
  ...signerVariables,
};
