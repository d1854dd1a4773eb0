import { Keypair } from '@solana/web3.js';
import type { LaunchAddresses } from '../../domain/launch/terms.ts';
import { derivedSeed, type KeyContext, MINT_PURPOSE } from './derived-seed.ts';
import { privateKeyOf, publicKeyOf } from './ed25519.ts';

export type { KeyContext } from './derived-seed.ts';

/** Seed of many launches. Only the worker holds one. */
export interface LaunchSeed {
  readonly id: string;
  /** 32 bytes. */
  readonly secret: Uint8Array;
}

/** The first. Throws without one. */
export function newestSeed([newest]: readonly LaunchSeed[]): LaunchSeed {
  if (newest === undefined) throw new Error('LAUNCH_SEEDS names no seed');
  return newest;
}

/** A retry derives the same keys: the chain refuses a second token. */
export interface LaunchKeys {
  readonly wallet: Keypair;
  readonly mint: Keypair;
  readonly positionMints: readonly [Keypair, Keypair];
  readonly feeKeyMints: readonly [Keypair, Keypair];
}

/** Throws a RangeError unless the secret has 32 bytes. */
export function deriveKeypair(secret: Uint8Array, context: KeyContext, purpose: string, id: string): Keypair {
  const seed = derivedSeed(secret, context, purpose, id);
  const publicKey = publicKeyOf(privateKeyOf(seed));
  return new Keypair({ publicKey, secretKey: Uint8Array.from([...seed, ...publicKey]) });
}

export function deriveLaunchKeys(seed: LaunchSeed, context: KeyContext, quoteId: string): LaunchKeys {
  const derive = (purpose: string) => deriveKeypair(seed.secret, context, purpose, quoteId);
  return {
    wallet: derive('launch-wallet'),
    mint: derive(MINT_PURPOSE),
    positionMints: [derive('position-1'), derive('position-2')],
    feeKeyMints: [derive('fee-key-1'), derive('fee-key-2')],
  };
}

/** Derives public addresses, which the database may store. */
export function deriveLaunchAddresses(seed: LaunchSeed, context: KeyContext, quoteId: string): LaunchAddresses {
  const keys = deriveLaunchKeys(seed, context, quoteId);
  const address = (key: Keypair) => key.publicKey.toBase58();
  return {
    launchWallet: address(keys.wallet),
    mint: address(keys.mint),
    positionMints: [address(keys.positionMints[0]), address(keys.positionMints[1])],
    feeKeyMints: [address(keys.feeKeyMints[0]), address(keys.feeKeyMints[1])],
  };
}
