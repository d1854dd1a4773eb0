import type { OfferedWallet } from '../wallet/wallet-context.ts';
import { desk } from './desk.ts';

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
      // Curves come with the wallet, not with every page that offers it.
      const { demoKey } = await import('./demo-key.ts');
      const key = demoKey();
      await keepFunded(key.address);
      return key;
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
