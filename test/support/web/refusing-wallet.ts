import type { Page } from 'playwright-core';

/** Runs in the browser, before the page. */
const WALLET = (address: string) => `
  const features = ['solana:signTransaction'];
  const account = { address: ${JSON.stringify(address)}, publicKey: new Uint8Array(32), chains: ['solana:localnet'], features };
  const wallet = {
    version: '1.0.0',
    name: 'Reluctant',
    icon: 'data:image/svg+xml;base64,PHN2Zy8+',
    chains: ['solana:localnet'],
    accounts: [account],
    features: {
      'standard:connect': { version: '1.0.0', connect: async () => ({ accounts: [account] }) },
      'solana:signTransaction': {
        version: '1.0.0',
        supportedTransactionVersions: ['legacy', 0],
        signTransaction: async () => { throw new Error('User rejected the request.'); },
      },
    },
  };
  addEventListener('wallet-standard:app-ready', (event) => event.detail.register(wallet));
`;

/**
 * Puts a wallet of the wallet standard into every page to come, which shares an address and refuses to sign, as a person does who
 * thinks better of it.
 */
export async function addRefusingWallet(page: Page, address: string): Promise<void> {
  await page.addInitScript({ content: WALLET(address) });
}
