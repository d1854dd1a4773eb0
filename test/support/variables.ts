import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Variables } from '../../config/environment.ts';

/** 32 bytes that are all different, in base64. */
export const KEY = Buffer.from(Array.from({ length: 32 }, (_, index) => (index * 37) % 251)).toString('base64');

/** A private file with that key, for as long as this process lives. */
function writeKeyFile(): string {
  const directory = mkdtempSync(join(tmpdir(), 'slipway-config-'));
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }));
  const path = join(directory, 'arweave.key');
  writeFileSync(path, KEY, { mode: 0o600 });
  return path;
}

const shared: Variables = {
  SITE_URL: 'https://site.example',
  DATABASE_URL: 'postgres://slipway:k3f9-long-and-random@db.example/slipway?sslmode=verify-full',
  TEMPORAL_ADDRESS: 'temporal.example:7233',
  TEMPORAL_TLS: '1',
  SOLANA_RPC_URL: 'https://rpc.example/key,https://other.example/key',
  LOOKUP_TABLE: 'Tab1e11111111111111111111111111111111111111',
  STORAGE: 'arweave',
  ARWEAVE_KEY_FILE: writeKeyFile(),
  PRICE_SOURCE: 'pyth',
};

/** What a production API is started with. */
export const API_VARIABLES: Variables = {
  ...shared,
  ENVIRONMENT: 'production',
  QUOTE_KEYS: `k1:${KEY}`,
  ADMIN_PASSWORD: 'correct-horse-battery-staple',
};

/** What a production worker is started with. */
export const WORKER_VARIABLES: Variables = {
  ...shared,
  ENVIRONMENT: 'production',
  BLOCK_ENGINE_URL: 'https://engine.example',
  LAUNCH_SEEDS: `s1:${KEY}`,
  TREASURY_SIGNER: 'aws-kms:alias/treasury',
  PLATFORM_SIGNER: 'file:/run/secrets/platform.json',
  REWARDS_SIGNER: 'aws-kms:alias/rewards',
};

/** The three keys as a local worker has them. */
export const ENV_KEYS: Variables = {
  TREASURY_SIGNER: 'env',
  PLATFORM_SIGNER: 'env',
  REWARDS_SIGNER: 'env',
  TREASURY_SECRET_KEY: `T${'1'.repeat(86)}`,
  PLATFORM_SECRET_KEY: `P${'1'.repeat(86)}`,
  REWARDS_SECRET_KEY: `R${'1'.repeat(86)}`,
};
