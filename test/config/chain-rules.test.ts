import { getCACertificates, rootCertificates } from 'node:tls';
import { describe, expect, it } from 'vitest';
import { readApiConfig } from '../../config/api.ts';
import { assertFitsChain, type ChainRules } from '../../config/chain-rules.ts';
import type { Variables } from '../../config/environment.ts';
import { readWorkerConfig } from '../../config/worker.ts';
import { readLocalService, refusedOnPublicClusters } from '../../dev/local/local-service.ts';
import { MAINNET_GENESIS } from '../../domain/network.ts';
import { API_VARIABLES, ENV_KEYS, KEY, WORKER_VARIABLES } from '../support/variables.ts';

const DEVNET = 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG';
const TESTNET = '4uhcVJyU9pJkvQyS88uRDiswHXSCkY3zQawwpjk2NsNY';
const OWN_CHAIN = 'HwfGmMbLtQpxUD5jqPBEeuRLCQEVpD8rUcCDdLkQn2Jm';

const rulesOf = {
  api: (changes: Variables): ChainRules => readApiConfig({ ...API_VARIABLES, ...changes }).chainRules,
  worker: (changes: Variables): ChainRules => readWorkerConfig({ ...WORKER_VARIABLES, ...changes }).chainRules,
};

/** Words that an operator may call the real thing by. */
const NAMES = ['prod', 'mainnet', 'live', 'local'];

const UNSAFE: readonly ['api' | 'worker', string, Variables, string][] = [
  ['api', 'prices set by hand', { PRICE_SOURCE: 'fixed' }, 'PRICE_SOURCE=fixed'],
  ['api', 'one endpoint', { SOLANA_RPC_URL: 'https://rpc.example' }, 'two different hosts'],
  [
    'api',
    'two endpoints of one host',
    { SOLANA_RPC_URL: 'https://a.example/1,https://a.example/2' },
    'two different hosts',
  ],
  [
    'api',
    'a plain http endpoint',
    { SOLANA_RPC_URL: 'https://a.example,https://b.example,http://203.0.113.9:8899' },
    'plain http',
  ],
  ['api', 'a plain websocket', { SOLANA_WS_URL: 'ws://a.example' }, 'SOLANA_WS_URL'],
  ['api', 'Temporal in plain text', { TEMPORAL_TLS: '0' }, 'TEMPORAL_ADDRESS temporal.example:7233'],
  ['api', 'a standby in plain text', { DATABASE_READ_URL: 'postgres://u:long-and-random@db.example/x' }, 'sslmode'],
  ['api', 'a database in plain text', { DATABASE_URL: 'postgres://u:long-and-random@db.example/x' }, 'sslmode'],
  [
    'api',
    'a database that is not proven',
    { DATABASE_URL: 'postgres://u:long-and-random@db.example/x?sslmode=no-verify' },
    'sslmode',
  ],
  ['api', 'files on one machine', { STORAGE: 'files', STORE_DIR: '/x' }, 'STORAGE=files'],
  ['worker', 'a block engine in plain text', { BLOCK_ENGINE_URL: 'http://engine.example:8080' }, 'BLOCK_ENGINE_URL'],
  ['worker', 'keys in the environment', ENV_KEYS, 'TREASURY_SIGNER=env'],
  ['worker', 'Temporal in plain text', { TEMPORAL_TLS: '0' }, 'TEMPORAL_ADDRESS temporal.example:7233'],
];

describe('on mainnet', () => {
  it.each(UNSAFE)('the %s refuses %s, whatever the installation is called', (process, _what, changes, problem) => {
    for (const ENVIRONMENT of NAMES) {
      const rules = rulesOf[process]({ ...changes, ENVIRONMENT });
      expect(() => assertFitsChain(rules, MAINNET_GENESIS)).toThrow(problem);
      expect(() => assertFitsChain(rules, MAINNET_GENESIS)).toThrow('the chain is mainnet-beta');
      expect(() => assertFitsChain(rules, OWN_CHAIN)).not.toThrow();
    }
    expect(() => rulesOf[process]({ ...changes, ENVIRONMENT: 'production' })).toThrow(problem);
  });

  it.each(['api', 'worker'] as const)('the %s starts where all of it is in order', (process) => {
    expect(() => assertFitsChain(rulesOf[process]({ ENVIRONMENT: 'live' }), MAINNET_GENESIS)).not.toThrow();
  });

  it('plain text is no problem as long as it stays on this machine', () => {
    const rules = rulesOf.worker({
      ENVIRONMENT: 'live',
      TEMPORAL_TLS: '0',
      TEMPORAL_ADDRESS: '127.0.0.1:7233',
      DATABASE_URL: 'postgres://u:long-and-random@localhost/x',
      BLOCK_ENGINE_URL: 'http://127.0.0.1:9000',
      SOLANA_RPC_URL: 'http://127.0.0.1:8899,https://a.example,https://b.example',
    });
    expect(() => assertFitsChain(rules, MAINNET_GENESIS)).not.toThrow();
  });

  it('keys may lie in the environment where that is said twice', () => {
    const rules = rulesOf.worker({ ...ENV_KEYS, SIGNERS_IN_ENVIRONMENT: '1', ENVIRONMENT: 'live' });
    expect(() => assertFitsChain(rules, MAINNET_GENESIS)).not.toThrow();
  });
});

describe('on any public cluster', () => {
  it.each([
    ['mainnet-beta', MAINNET_GENESIS],
    ['devnet', DEVNET],
    ['testnet', TESTNET],
  ])('%s has no stand-in exchange and no desk', (_name, genesisHash) => {
    const local = { ENVIRONMENT: 'local', SOLANA_RPC_URL: 'https://a.example,https://b.example' };
    const { chainRules } = refusedOnPublicClusters(readApiConfig({ ...API_VARIABLES, ...local }));
    expect(() => assertFitsChain(chainRules, genesisHash)).toThrow('the stand-in exchange and the desk');
    expect(() => assertFitsChain(chainRules, OWN_CHAIN)).not.toThrow();
  });

  it('an environment named production has neither', () => {
    expect(() => readLocalService({ ENVIRONMENT: 'production', STAND_IN_SEED: KEY })).toThrow('not for production');
    expect(readLocalService({ STAND_IN_SEED: KEY })).toMatchObject({ hasDesk: false });
  });

  it('one endpoint and fixed prices are enough where nothing is worth anything', () => {
    const rules = rulesOf.api({ SOLANA_RPC_URL: 'https://rpc.example', PRICE_SOURCE: 'fixed', ENVIRONMENT: 'local' });
    expect(() => assertFitsChain(rules, DEVNET)).not.toThrow();
  });
});

describe('the connection to Temporal', () => {
  // The image has no authorities of an operating system.
  const PUBLIC_AUTHORITIES = getCACertificates('default').join('\n');

  it('is encrypted by an API key alone, which it carries, and believes public authorities', () => {
    const { tls, ...rest } = readApiConfig({ ...API_VARIABLES, TEMPORAL_TLS: '0', TEMPORAL_API_KEY: 'key' }).temporal
      .connection;
    expect(rest).toEqual({ address: 'temporal.example:7233', apiKey: 'key' });
    expect(tls?.serverRootCACertificate.toString()).toBe(PUBLIC_AUTHORITIES);
    expect(PUBLIC_AUTHORITIES.split('BEGIN CERTIFICATE').length).toBeGreaterThan(rootCertificates.length);
  });

  it('is encrypted by what Temporal’s worker controller sets', () => {
    const { tls, ...rest } = readWorkerConfig({ ...WORKER_VARIABLES, TEMPORAL_TLS: 'true' }).temporal.connection;
    expect(rest).toEqual({ address: 'temporal.example:7233' });
    expect(tls?.serverRootCACertificate.toString()).toBe(PUBLIC_AUTHORITIES);
  });

  it('is plain where nobody asks for more', () => {
    const { temporal } = readApiConfig({ ...API_VARIABLES, TEMPORAL_TLS: '0', ENVIRONMENT: 'local' });
    expect(temporal.connection).toEqual({ address: 'temporal.example:7233' });
  });

  it('has a certificate with its key or none', () => {
    expect(() => readApiConfig({ ...API_VARIABLES, TEMPORAL_TLS_CERT_FILE: '/c.pem' })).toThrow('are needed together');
  });
});
