import Type from 'typebox';
import { absolutePath } from './absolute-path.ts';
import { airdropVariables, holderVariables } from './airdrop.ts';
import { buybackVariables } from './buyback.ts';
import { claimVariables, preparedClaimVariables } from './claim.ts';
import { eventVariables } from './events.ts';
import { feeSweepVariables } from './fee-sweep.ts';
import { proofVariables } from './proof.ts';
import { networkFeeVariables } from './network-fees.ts';
import { devBuyVariables, launchVariables, mintSuffixVariables, unpaidLaunchVariables } from './launch.ts';
import { seedVariables } from './launch-seeds.ts';
import { marketVariables } from './market.ts';
import { moneyVariables } from './money.ts';
import { priceVariables } from './prices.ts';
import { rateLimitVariables } from './rate-limits.ts';
import { readReplicaVariables } from './read-replica.ts';
import { restockVariables } from './restock.ts';
import { rewardRuleVariables, rewardVariables } from './reward.ts';
import { KEY_LIST } from './secrets.ts';
import { signerVariables } from './signers.ts';
import { storageVariables } from './storage.ts';
import { temporalSecurityVariables } from './temporal.ts';
import { traceVariables } from './traces.ts';
import { trustedProxyVariables } from './trusted-proxies.ts';
import { workerVersionVariables } from './worker-version.ts';

/** `title` describes a pattern, `writeOnly` marks secrets; for messages and docs. */
const url = (schemes: string, title: string, description: string) =>
  Type.String({ pattern: `^(${schemes})://[^\\s]+$`, title, description });

const secret = (pattern: string, title: string, description: string) =>
  Type.String({ pattern, title, description, writeOnly: true });

const ADDRESS = '^[1-9A-HJ-NP-Za-km-z]{32,44}$';

export const sharedVariables = {
  ENVIRONMENT: Type.String({
    pattern: '^[a-z][a-z0-9-]{0,31}$',
    title: 'a lower-case word of at most 32 letters, digits and hyphens',
    default: 'local',
    description:
      'Name of this installation, part of every derived key; "production" refuses local settings before the chain is asked',
  }),
  LOG_LEVEL: Type.Enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'], {
    default: 'info',
    description: 'Least severe level logged',
  }),
  HOST: Type.String({ default: '127.0.0.1', description: 'Listening address' }),
  INSTANCE_ID: Type.Optional(
    Type.String({
      pattern: '^[A-Za-z0-9._-]{1,64}$',
      title: 'at most 64 letters, digits, dots, hyphens and underscores',
      description:
        'Header x-instance-id of /healthz and /readyz, for a supervisor such as the local stack; default: no header',
    }),
  ),
  SITE_URL: url('https?', 'an http or https URL', 'Platform origin, for links'),
  DATABASE_URL: Type.String({
    pattern: '^postgres(ql)?://[^\\s]+$',
    title: 'a postgres:// URL',
    description: 'PostgreSQL database, with credentials',
    writeOnly: true,
  }),
  DATABASE_POOL_SIZE: Type.Integer({
    minimum: 1,
    maximum: 200,
    default: 10,
    description: 'Most database connections at once',
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
    description: 'Solana JSON-RPC endpoints; with two or more, decisions about money need two',
    writeOnly: true,
  }),
  SOLANA_WS_URL: Type.Optional(
    Type.String({
      pattern: '^wss?://[^\\s]+$',
      title: 'a ws or wss URL',
      description: 'Solana websocket endpoint; default: derived from the first RPC endpoint',
      writeOnly: true,
    }),
  ),
  LOOKUP_TABLE: Type.String({
    pattern: ADDRESS,
    title: 'a Solana address in base58',
    description: 'Lookup table of launch transactions, made by `npm run ops -- lookup-table create`',
  }),
  ...storageVariables,
  ...priceVariables,
  ...traceVariables,
  ...rewardRuleVariables,
  ...devBuyVariables,
  PLATFORM_TOKEN_MINT: Type.Optional(
    Type.String({
      pattern: ADDRESS,
      title: 'a Solana address in base58',
      description: 'Platform token, launched here, that revenue buys and burns; without it its share accumulates',
    }),
  ),
  SHUTDOWN_GRACE_SECONDS: Type.Integer({
    minimum: 1,
    maximum: 300,
    default: 15,
    description: 'Longest wait for work at shutdown, in seconds',
  }),
};

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
      description: 'Port of the metrics endpoint; 0 takes a free one; default: none',
    }),
  ),
  API_METRICS_HOST: Type.String({
    default: '127.0.0.1',
    description: 'Address the metrics endpoint listens on; keep it private',
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
      'Header x-admin-password of admin-only reward launches',
    ),
  ),
  TREASURY_ADDRESS: Type.Optional(
    Type.String({
      pattern: ADDRESS,
      title: 'a Solana address in base58',
      description: 'Treasury, whose quote tokens pay for dev buys; without it there are none',
    }),
  ),
  ...networkFeeVariables,
  ...trustedProxyVariables,
  PUBLIC_HOSTS: Type.Optional(
    Type.String({
      pattern: '^[A-Za-z0-9.:-]+([, ]+[A-Za-z0-9.:-]+)*$',
      title: 'host names, with a port where it is not the default, separated by commas',
      description:
        'Further hosts of the API behind TRUST_PROXY, besides SITE_URL, for `servers` of the OpenAPI document',
    }),
  ),
  ...rateLimitVariables,
  ...readReplicaVariables,
  ...holderVariables,
  ...unpaidLaunchVariables,
  ...preparedClaimVariables,
  SUBMIT_WAIT_SECONDS: Type.Integer({
    minimum: 1,
    maximum: 120,
    default: 15,
    description: 'Wait for a submit’s outcome before `processing` is answered, in seconds',
  }),
  WEB_DIR: Type.Optional(absolutePath('Directory of the built site, to serve it at SITE_URL')),
  SECURITY_CONTACT: Type.Optional(
    Type.String({
      pattern: '^(mailto:[^\\s@]+@[^\\s@]+|https://\\S+)$',
      maxLength: 200,
      description: 'Where a vulnerability is reported, `mailto:` or `https:`; `/.well-known/security.txt` names it',
    }),
  ),
};

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
  ...mintSuffixVariables,
  ...claimVariables,
  ...marketVariables,
  ...moneyVariables,
  ...eventVariables,
  ...restockVariables,
  ...feeSweepVariables,
  ...proofVariables,
  ...buybackVariables,
  ...rewardVariables,
  ...seedVariables,
  ...signerVariables,
};
