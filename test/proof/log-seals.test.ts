import { expect, it } from 'vitest';
import { newestLogSeals } from '../../client/verify/log/log-seals.ts';
import { tenuresOf, type WalletEntry } from '../../client/verify/wallets/wallet-list.ts';
import { landed, scriptedChain, someAddress } from '../support/proof/scripted-chain.ts';
import { sealing } from '../support/proof/scripted-log.ts';

const [platform, retired, receipts, stranger] = [someAddress(), someAddress(), someAddress(), someAddress()];
const entry = (number: number, role: WalletEntry['role'], address: string): WalletEntry => {
  return { number, role, address, mint: null, event: 'used', slot: 1, notedAt: '2026-11-21T12:00:00.000Z' };
};
const tenures = tenuresOf(
  [entry(1, 'platform', platform), entry(2, 'receipts', retired), entry(3, 'receipts', receipts)],
  'the list',
);

const sealAt = (slot: number, about = receipts) =>
  sealing({ root: String(slot).padStart(64, '0') }, { payer: platform, about, signature: `seal ${slot}`, slot });
const dustAt = (slot: number, hasFailed = false) =>
  landed({
    signature: `dust ${slot}`,
    slot,
    hasFailed,
    signers: [stranger],
    instructions: [
      {
        program: stranger,
        accounts: [{ address: receipts, isSigner: false, isWritable: false }],
        data: new Uint8Array(),
      },
    ],
  });

function read(
  slots: readonly number[],
  dust: readonly number[],
  wanted: { seals: number; most: number },
  failed = false,
) {
  const transactions = [
    ...slots.map((slot, index) => sealAt(slot, index === 0 ? retired : receipts)),
    ...dust.map((slot) => dustAt(slot, failed)),
  ].toSorted((a, b) => a.slot - b.slot);
  const calls = { lists: 0, transactions: 0 };
  const chain = scriptedChain({ transactions, accounts: {} });
  const counted = {
    ...chain,
    history: (...args: Parameters<typeof chain.history>) => (calls.lists++, chain.history(...args)),
    transaction: (...args: Parameters<typeof chain.transaction>) => (calls.transactions++, chain.transaction(...args)),
  };
  return { found: newestLogSeals(counted, tenures, wanted), calls };
}

const slotsFrom = (from: number, count: number) => Array.from({ length: count }, (_, index) => from + index);

it('seals are found behind more dust of a stranger than 500 transactions, in the order of all keys', async () => {
  const { found, calls } = read([10, 20, 5_000], slotsFrom(1_000, 600), { seals: 10, most: 603 });
  const { seals, isWhole } = await found;
  expect([seals.map(({ slot }) => slot), isWhole, calls.transactions]).toEqual([[5_000, 20, 10], true, 603]);
});

it('no more is listed and read than the wanted seals need', async () => {
  const { found, calls } = read([10, 20, 5_000], slotsFrom(30, 4_000), { seals: 1, most: 20_000 });
  expect((await found).isWhole).toBe(false);
  expect(calls).toEqual({ lists: 2, transactions: 1 });
});

it.each([
  ['read', false, 600],
  ['listed, though they failed', true, 6_100],
])('transactions of a key beyond --most are not %s: it says so', async (_what, failed, count) => {
  const { found } = read([10, 20], slotsFrom(30, count), { seals: 10, most: 599 }, failed);
  await expect(found).rejects.toMatchObject({
    name: 'NotProvable',
    message: expect.stringContaining('raise --most') as unknown,
  });
});
