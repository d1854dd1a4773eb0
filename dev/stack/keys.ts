import { randomBytes } from 'node:crypto';
import { Keypair } from '@solana/web3.js';
import bs58 from 'bs58';
import Type, { type Static } from 'typebox';
import { readJson, writePrivateJson } from './private-file.ts';

const StackKeysSchema = Type.Object({
  /** `id:base64(32 bytes)`, newest first. */
  LAUNCH_SEEDS: Type.String(),
  /** base58, 64 bytes. */
  TREASURY_SECRET_KEY: Type.String(),
  PLATFORM_SECRET_KEY: Type.String(),
  REWARDS_SECRET_KEY: Type.String(),
  /** `kid:base64(32 bytes)`, newest first. */
  QUOTE_KEYS: Type.String(),
  /** base64, 32 bytes. */
  STAND_IN_SEED: Type.String(),
  ADMIN_PASSWORD: Type.String(),
});

export type StackKeys = Static<typeof StackKeysSchema>;

const seed = () => randomBytes(32).toString('base64');
const secretKey = () => bs58.encode(Keypair.generate().secretKey);

function generate(): StackKeys {
  return {
    LAUNCH_SEEDS: `local-1:${seed()}`,
    TREASURY_SECRET_KEY: secretKey(),
    PLATFORM_SECRET_KEY: secretKey(),
    REWARDS_SECRET_KEY: secretKey(),
    QUOTE_KEYS: `local-1:${seed()}`,
    STAND_IN_SEED: seed(),
    ADMIN_PASSWORD: randomBytes(18).toString('base64url'),
  };
}

/**
 * `env` overrides them.
 *
 * @throws for an invalid file
 */
export function loadKeys(path: string, env: NodeJS.ProcessEnv): StackKeys {
  const kept = readJson(path, StackKeysSchema);
  const keys = kept ?? generate();
  if (kept === undefined) writePrivateJson(path, keys);
  const names = Object.keys(keys) as (keyof StackKeys)[];
  return Object.fromEntries(names.map((name) => [name, env[name] || keys[name]])) as StackKeys;
}

/**
 * Returns base58.
 *
 * @throws unless 64 bytes in base58
 */
export function addressOf(secret: string): string {
  return Keypair.fromSecretKey(bs58.decode(secret)).publicKey.toBase58();
}
