import type { OfferedWallet } from '../../web/wallet/wallet-context.ts';
import { desk } from './desk.ts';

/** SOL that a wallet gets; below `LEAST_SOL` it cannot pay for a launch and is funded. */
const FUNDED_SOL = '25';
const LEAST_SOL = 5;

/** Unprotected key in the browser's storage: its tokens are worthless. */
export const DEMO_WALLET: OfferedWallet = {
  name: 'Demo wallet',
  icon: null,
  note: 'made here, funded by the local chain',
  async connect() {
    // With the wallet, not every page.
    const { demoKey } = await import('./demo-key.ts');
    const key = demoKey();
    await keepFunded(key.address);
    return key;
  },
  // Its account never changes.
  watch: () => () => undefined,
};

/** The chain is fresh at every start, the browser keeps the key. */
async function keepFunded(wallet: string): Promise<void> {
  const { sol } = await desk.holdings(wallet);
  if (Number(sol) < LEAST_SOL) await desk.fund({ wallet, sol: FUNDED_SOL });
}
