import { ed25519 } from '@noble/curves/ed25519.js';
import bs58 from 'bs58';
import type { Signer } from '../../client/index.ts';
import { browserStorage } from '../../web/storage/browser-storage.ts';
import { signWire } from './sign-wire.ts';

const KEY = 'slipway:demo-seed';

export function demoKey(): Signer {
  const seed = demoSeed();
  return {
    address: bs58.encode(ed25519.getPublicKey(seed)),
    sign: async (transaction) => signWire(transaction, seed),
  };
}

function demoSeed(): Uint8Array {
  const kept = bs58.decodeUnsafe(browserStorage().getItem(KEY) ?? '');
  if (kept?.length === 32) return kept;
  const seed = ed25519.utils.randomSecretKey();
  browserStorage().setItem(KEY, bs58.encode(seed));
  return seed;
}
