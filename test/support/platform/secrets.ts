import { randomBytes } from 'node:crypto';
import { Keypair } from '@solana/web3.js';
import bs58 from 'bs58';

/** Every secret of one test platform, by the names of the variables that carry them. */
export interface PlatformSecrets {
  readonly LAUNCH_SEEDS: string;
  readonly TREASURY_SECRET_KEY: string;
  readonly PLATFORM_SECRET_KEY: string;
  readonly REWARDS_SECRET_KEY: string;
  readonly QUOTE_KEYS: string;
  readonly STAND_IN_SEED: string;
  readonly ADMIN_PASSWORD: string;
}

const seed = (): string => randomBytes(32).toString('base64');
const secretKey = (): string => bs58.encode(Keypair.generate().secretKey);

/** Fresh secrets; the quote keys are a new one and one that was replaced but still opens. */
export function createSecrets(): PlatformSecrets {
  return {
    LAUNCH_SEEDS: `seed-1:${seed()}`,
    TREASURY_SECRET_KEY: secretKey(),
    PLATFORM_SECRET_KEY: secretKey(),
    REWARDS_SECRET_KEY: secretKey(),
    QUOTE_KEYS: `quote-2:${seed()},quote-1:${seed()}`,
    STAND_IN_SEED: seed(),
    ADMIN_PASSWORD: randomBytes(18).toString('base64url'),
  };
}

/** The address (base58) of a base58 secret key. */
export function addressOf(secret: string): string {
  return Keypair.fromSecretKey(bs58.decode(secret)).publicKey.toBase58();
}

/** Every form in which one of these secrets could show up in a text: as configured, hex, base64, base58. */
export function spellingsOf(secrets: PlatformSecrets): string[] {
  return [secrets.ADMIN_PASSWORD, ...keyBytesOf(secrets).flatMap(spell)];
}

/** The bytes of every key and seed: a secret key whole and without its public half. */
export function keyBytesOf(secrets: PlatformSecrets): Uint8Array[] {
  const keys = [secrets.TREASURY_SECRET_KEY, secrets.PLATFORM_SECRET_KEY, secrets.REWARDS_SECRET_KEY].map((key) =>
    bs58.decode(key),
  );
  const seeds = [secrets.LAUNCH_SEEDS, secrets.QUOTE_KEYS, secrets.STAND_IN_SEED]
    .flatMap((list) => list.split(','))
    .map((entry) => Buffer.from(entry.split(':').at(-1) ?? '', 'base64'));
  return [...keys, ...keys.map((key) => key.subarray(0, 32)), ...seeds];
}

function spell(bytes: Uint8Array): string[] {
  const buffer = Buffer.from(bytes);
  return [buffer.toString('base64').replace(/=+$/, ''), buffer.toString('hex'), bs58.encode(buffer)];
}
