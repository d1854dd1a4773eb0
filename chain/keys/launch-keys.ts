import { hkdfSync } from 'node:crypto';
import { Keypair } from '@solana/web3.js';
import type { LaunchAddresses } from '../../domain/launch/terms.ts';
import { privateKeyOf, publicKeyOf } from './ed25519.ts';

/** A secret from which the keys of many launches are derived. Only the worker holds one. */
export interface LaunchSeed {
  readonly id: string;
  /** 32 bytes. */
  readonly secret: Uint8Array;
}

/** What separates the keys of one cluster and deployment from those of another. */
export interface KeyContext {
  readonly genesisHash: string;
  readonly environment: string;
}

/** The key pairs of one launch. A retry derives the same ones, so the chain itself refuses a second token. */
export interface LaunchKeys {
  readonly wallet: Keypair;
  readonly mint: Keypair;
  readonly positionMints: readonly [Keypair, Keypair];
  readonly feeKeyMints: readonly [Keypair, Keypair];
}

/**
 * Derives one Ed25519 key: HKDF-SHA256 (RFC 5869) with the genesis hash as salt and a JSON array of environment, purpose
 * and id as info, so that no two inputs can run together.
 */
export function deriveKeypair(secret: Uint8Array, context: KeyContext, purpose: string, id: string): Keypair {
  if (secret.length !== 32) throw new RangeError(`a seed has 32 bytes, got ${secret.length}`);
  const info = JSON.stringify(['slipway', context.environment, purpose, id]);
  const seed = new Uint8Array(hkdfSync('sha256', secret, context.genesisHash, info, 32));
  const publicKey = publicKeyOf(privateKeyOf(seed));
  return new Keypair({ publicKey, secretKey: Uint8Array.from([...seed, ...publicKey]) });
}

/** Derives all keys of the launch with this quote id. */
export function deriveLaunchKeys(seed: LaunchSeed, context: KeyContext, quoteId: string): LaunchKeys {
  const derive = (purpose: string) => deriveKeypair(seed.secret, context, purpose, quoteId);
  return {
    wallet: derive('launch-wallet'),
    mint: derive('mint'),
    positionMints: [derive('position-1'), derive('position-2')],
    feeKeyMints: [derive('fee-key-1'), derive('fee-key-2')],
  };
}

/** The public addresses of a launch's keys, which may lie in the database. */
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
