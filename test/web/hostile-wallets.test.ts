import { Keypair } from '@solana/web3.js';
import { describe, expect, it, test } from 'vitest';
import { readWallet } from '../../web/wallet/read-wallet.ts';

const address = Keypair.generate().publicKey.toBase58();
const account = { address, publicKey: new Uint8Array(32), chains: [], features: [] };
const features = {
  'standard:connect': { connect: async (): Promise<unknown> => ({ accounts: [account] }) },
  'solana:signTransaction': { signTransaction: async () => [] },
};
const honest = {
  version: '1.0.0',
  name: 'Anchor',
  icon: 'data:image/png;base64,AAAA',
  chains: [],
  accounts: [],
  features,
};
const throwing = (field: string) =>
  Object.defineProperty({ ...honest }, field, {
    get() {
      throw new Error('broken');
    },
  });
const connecting = (answer: unknown) => ({
  ...honest,
  features: { ...features, 'standard:connect': { connect: async () => answer } },
});

test('an honest wallet is offered as it is', async () => {
  const wallet = readWallet(honest);
  expect(wallet).toMatchObject({ name: 'Anchor', icon: honest.icon });
  expect((await wallet?.connect(true))?.address).toBe(address);
});

describe('a wallet that says what is no wallet’s is left out', () => {
  it.each([
    ['a name that is an object', { ...honest, name: { text: 'x' } }],
    ['no name', { ...honest, name: ' ' }],
    ['a name of 10,000 letters', { ...honest, name: 'A'.repeat(10_000) }],
    ['a name that turns the text', { ...honest, name: '<img src=x>\u202e' }],
    ['features that throw', throwing('features')],
    ['a name that throws', throwing('name')],
    ['no features', { ...honest, features: null }],
    [
      'signing that is no function',
      { ...honest, features: { ...features, 'solana:signTransaction': { signTransaction: 1 } } },
    ],
    ['nothing', null],
    ['a text', 'wallet'],
  ])('%s', (_what, wallet) => {
    expect(readWallet(wallet)).toBeNull();
  });
});

describe('an icon that is none is not shown', () => {
  it.each([undefined, 7, 'https://evil.example.com/track.png', `data:image/png;base64,${'A'.repeat(400_000)}`])(
    '%s',
    (icon) => {
      expect(readWallet({ ...honest, icon })?.icon).toBeNull();
    },
  );
});

describe('accounts that are none are refused in words', () => {
  it.each([
    null,
    undefined,
    {},
    { accounts: null },
    { accounts: [] },
    { accounts: [{}] },
    { accounts: [{ address: 'x' }] },
  ])('%j', async (answer) => {
    await expect(readWallet(connecting(answer))?.connect(false)).rejects.toThrow('Anchor shared no account');
  });

  it('a change that is about none of them is passed over, and junk counts as none', () => {
    const told: unknown[] = [];
    const on = (_event: string, listener: (change: unknown) => void) => {
      for (const change of [null, {}, { accounts: null }, { accounts: [{}] }, { accounts: [account] }])
        listener(change);
      return 'no function';
    };
    const wallet = readWallet({ ...honest, features: { ...features, 'standard:events': { on } } });
    wallet?.watch((each) => told.push(each?.address))();
    expect(told).toEqual([undefined, address]);
  });
});
