import { ed25519 } from '@noble/curves/ed25519.js';
import bs58 from 'bs58';
import type { OfferedWallet } from '../wallet/wallet-context.ts';
import { desk } from './desk.ts';
import { signWire } from './sign-wire.ts';

const KEY = 'slipway:demo-seed';

/** What a demo wallet is given when it has less than a launch may cost. */
const FUNDED_SOL = '25';
const LEAST_SOL = 5;

/**
 * A wallet of the local chain whose key lies open in this browser's storage: its tokens are worth nothing. It is offered only where
 * there is a desk, which is never a public cluster.
 */
export function demoWallet(): OfferedWallet {
  return {
    name: 'Demo wallet',
    icon: null,
    note: 'made here, funded by the local chain',
    async connect() {
      const seed = demoSeed();
      const address = bs58.encode(ed25519.getPublicKey(seed));
      await keepFunded(address);
      return { address, sign: async (transaction) => signWire(transaction, seed) };
    },
    // It has one account, for good.
    watch: () => () => undefined,
  };
}

/** The local chain is fresh at every start, and this browser remembers the key. */
async function keepFunded(wallet: string): Promise<void> {
  const holdings = await desk?.holdings(wallet);
  if (holdings && Number(holdings.sol) < LEAST_SOL) await desk?.fund({ wallet, sol: FUNDED_SOL });
}

function demoSeed(): Uint8Array {
  const kept = bs58.decodeUnsafe(localStorage.getItem(KEY) ?? '');
  if (kept?.length === 32) return kept;
  const seed = ed25519.utils.randomSecretKey();
  localStorage.setItem(KEY, bs58.encode(seed));
  return seed;
}
