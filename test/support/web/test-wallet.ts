import { type Keypair, VersionedTransaction } from '@solana/web3.js';
import type { Page } from 'playwright-core';

/** What the wallet calls itself. */
export const TEST_WALLET = 'Anchor';

/** Runs in the browser, before the page. A page that knows no `signBytes` has an owner who refuses. */
const WALLET = (address: string) => `
  const features = ['solana:signTransaction'];
  const chains = ['solana:localnet'];
  const accountOf = (address) => ({ address, publicKey: new Uint8Array(32), chains, features });
  const listeners = new Set();
  let accounts = [accountOf(${JSON.stringify(address)})];
  globalThis.askedToSign = [];
  globalThis.turnTo = (address) => {
    accounts = [accountOf(address)];
    for (const listener of listeners) listener({ accounts });
  };
  const wallet = {
    version: '1.0.0',
    name: ${JSON.stringify(TEST_WALLET)},
    icon: 'data:image/svg+xml;base64,PHN2Zy8+',
    chains,
    get accounts() { return accounts; },
    features: {
      'standard:connect': { version: '1.0.0', connect: async () => ({ accounts }) },
      'standard:events': {
        version: '1.0.0',
        on: (event, listener) => {
          listeners.add(listener);
          return () => listeners.delete(listener);
        },
      },
      'solana:signTransaction': {
        version: '1.0.0',
        supportedTransactionVersions: ['legacy', 0],
        signTransaction: async (...inputs) => {
          for (const { account } of inputs) askedToSign.push(account.address);
          if (!globalThis.signBytes) throw new Error('User rejected the request.');
          const signed = [];
          for (const { transaction } of inputs)
            signed.push({ signedTransaction: new Uint8Array(await signBytes([...transaction])) });
          return signed;
        },
      },
    },
  };
  addEventListener('wallet-standard:app-ready', (event) => event.detail.register(wallet));
`;

/**
 * Puts a wallet of the wallet standard into every page to come, which shares an address and refuses to sign, as a person does who
 * thinks better of it.
 */
export async function addTestWallet(page: Page, address: string): Promise<void> {
  await page.addInitScript({ content: WALLET(address) });
}

/** The same of a person who agrees to everything. */
export async function addSigningWallet(page: Page, keypair: Keypair): Promise<void> {
  await page.exposeFunction('signBytes', (bytes: readonly number[]) => {
    const transaction = VersionedTransaction.deserialize(Uint8Array.from(bytes));
    transaction.sign([keypair]);
    return [...transaction.serialize()];
  });
  await addTestWallet(page, keypair.publicKey.toBase58());
}

/** Connects it, as a person does. */
export async function connectTestWallet(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
  await page.getByRole('button', { name: TEST_WALLET }).click();
}

/** Its owner turns to another account, without telling the page beforehand. */
export async function turnTo(page: Page, address: string): Promise<void> {
  await page.evaluate(`turnTo(${JSON.stringify(address)})`);
}

/** Accounts that it was asked to sign for since the page was loaded, the first first. */
export async function askedToSign(page: Page): Promise<unknown> {
  return page.evaluate('askedToSign');
}
