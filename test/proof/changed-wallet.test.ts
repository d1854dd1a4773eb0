import { describe, expect, it } from 'vitest';
import { SYSTEM_PROGRAM } from '../../client/solana/programs.ts';
import type { Landed } from '../../client/verify/landed.ts';
import { readPotHistory } from '../../client/verify/round/pot-history.ts';
import { readRoundDocument, type RoundDocument } from '../../client/verify/round/round-document.ts';
import { checkSeal } from '../../client/verify/round/round-seal.ts';
import { readSealedWallets } from '../../client/verify/round/sealed-wallets.ts';
import { rootAddress, type Seal } from '../../client/verify/seal.ts';
import { type Tenure, tenuresOf, type WalletEntry } from '../../client/verify/wallets/wallet-list.ts';
import { honestRound } from '../support/proof/round-text.ts';
import { landed, scriptedChain, someAddress } from '../support/proof/scripted-chain.ts';
import { type ScriptedLog, scriptedLog, sealing } from '../support/proof/scripted-log.ts';

/** Three platform wallets, one after another, and a stranger's wallet. */
const [EARLIER, NOW, LATER, STRANGER] = [someAddress(), someAddress(), someAddress(), someAddress()];
const { lines } = honestRound();
const own = await readRoundDocument([lines.join('\n')], 'the file');
const { pot } = own;
const PREVIOUS = 'ab'.repeat(32);
const document: RoundDocument = { ...own, previous: PREVIOUS, movements: [] };

const named = (address: string, isSigner: boolean) => ({ address, isSigner, isWritable: true });

/** A transaction that the pot signs. */
const byPot = (signature: string, payer: string, slot: number): Landed =>
  landed({
    signature,
    slot,
    signers: [payer, pot],
    instructions: [{ program: SYSTEM_PROGRAM, accounts: [named(pot, true)], data: new Uint8Array() }],
  });
const sealBy = (signature: string, payer: string, slot: number, root: string): Landed =>
  sealing({ root }, { payer, about: pot, signature, slot });

const SEAL: Seal = { signature: 'seal', slot: 100, payer: NOW, root: own.root, about: pot };

const entry = (number: number, address: string, slot: number, event: WalletEntry['event'] = 'used'): WalletEntry => {
  return { number, role: 'platform', address, mint: null, event, slot, notedAt: '2026-11-21T12:00:00.000Z' };
};
const LIST = [entry(1, EARLIER, 1), entry(2, EARLIER, 60, 'retired'), entry(3, NOW, 60)];
const tenures = tenuresOf(LIST, 'the list');

const historyOf = (transactions: readonly Landed[], listed: readonly Tenure[] | null = null) =>
  readPotHistory(scriptedChain({ transactions, accounts: {} }), document, { seal: SEAL, most: 100, tenures: listed });

const own100 = sealBy('seal', NOW, 100, own.root);
const previous = (payer: string, slot = 50) => sealBy('previous', payer, slot, PREVIOUS);

describe('the seal before, by an earlier platform wallet,', () => {
  it('is proven by a payout that this wallet paid for', async () => {
    const { previousSeal } = await historyOf([previous(EARLIER), byPot('paid', EARLIER, 55), own100]);
    expect(previousSeal?.payer).toBe(EARLIER);
  });

  it('is proven by the sealed list', async () => {
    const { previousSeal } = await historyOf([previous(EARLIER), own100], tenures);
    expect(previousSeal?.payer).toBe(EARLIER);
  });

  it.each<[string, string, number, readonly Tenure[] | null]>([
    ['without payouts and list', EARLIER, 50, null],
    ['in a slot in which the list has another', EARLIER, 70, tenures],
    ['by a wallet that the list lacks', STRANGER, 50, tenures],
  ])('is open %s', async (_what, payer, slot, listed) => {
    await expect(historyOf([previous(payer, slot), own100], listed)).rejects.toMatchObject({
      name: 'NotProvable',
      message: expect.stringContaining(`sealed by ${payer}`) as unknown,
    });
  });

  it('that nobody made is a difference', async () => {
    await expect(historyOf([own100], tenures)).rejects.toMatchObject({
      message: 'the document before this one is not sealed',
    });
  });
});

it.each([
  ['by the wallet that paid for the payouts before', [byPot('paid', EARLIER, 55)], null],
  ['by a wallet of the sealed list', [], tenures],
])('another seal of the pot %s is a difference', async (_what, paid, listed) => {
  const hidden = sealBy('hidden', EARLIER, 58, 'cd'.repeat(32));
  const all = [previous(NOW), ...paid, hidden, own100];
  await expect(historyOf(all, listed)).rejects.toMatchObject({ message: 'another document was sealed for this pot' });
});

it('the seal of a new platform wallet ends the round, once that wallet pays for the pot', async () => {
  const next = sealBy('next', LATER, 130, 'ef'.repeat(32));
  const own = [previous(NOW), own100, byPot('payout', NOW, 110)];
  const { after, isClosed } = await historyOf([...own, next, byPot('next payout', LATER, 140)]);
  expect([after.map(({ signature }) => signature), isClosed]).toEqual([['payout'], true]);
  const collected = await historyOf([...own, byPot('collection', LATER, 120), next, byPot('next payout', LATER, 140)]);
  expect(collected.after.map(({ signature }) => signature)).toEqual(['payout', 'collection']);
});

it('the seal of a stranger ends no round', async () => {
  const theirs = sealBy('theirs', STRANGER, 105, 'ef'.repeat(32));
  const { after, isClosed } = await historyOf([previous(NOW), own100, theirs, byPot('payout', NOW, 110)]);
  expect([after.map(({ signature }) => signature), isClosed]).toEqual([['theirs', 'payout'], false]);
});

describe('the seal of a round whose movements another platform wallet paid for', () => {
  const movement = { n: 0, kind: 'sale', signature: 'sale', slot: 90, baseRaw: -1n, quoteRaw: 1n } as const;
  const sealed = (transactions: readonly Landed[], platformWallet?: string) => {
    const chain = scriptedChain({ transactions: [byPot('sale', EARLIER, 90), ...transactions], accounts: {} });
    const question = { chain, most: 100, ...(platformWallet !== undefined && { platformWallet }) };
    return checkSeal(question, { ...document, movements: [movement] });
  };

  it('is proven by a payout that its wallet paid for', async () => {
    expect((await sealed([own100, byPot('payout', NOW, 110)])).value.payer).toBe(NOW);
  });

  it('is open as long as its wallet paid for nothing of the pot', async () => {
    await expect(sealed([own100])).rejects.toMatchObject({ name: 'NotProvable' });
  });

  it('is a difference if another wallet is demanded, or if there is none', async () => {
    await expect(sealed([own100, byPot('payout', NOW, 110)], EARLIER)).rejects.toMatchObject({ name: 'Difference' });
    await expect(sealed([byPot('payout', NOW, 110)])).rejects.toMatchObject({ name: 'Difference' });
  });
});

describe('the list of wallets', () => {
  const log = scriptedLog({ receiptKey: someAddress(), entries: LIST });
  const read = (entries: readonly WalletEntry[], shown: ScriptedLog = log) => {
    const prices = { ...document.prices, table: { number: 1, root: log.root } };
    const show = () => ({ text: [shown.text], source: 'the log' });
    return readSealedWallets({ ...document, prices }, show, {
      read: () => Promise.resolve(entries),
      source: 'the API',
    });
  };

  it('counts as far as the log of the document seals it', async () => {
    const { value } = await read([...LIST, entry(4, STRANGER, 10)]);
    expect(value).toEqual(tenures);
  });

  it('is a difference where it is not the sealed one, or the log is another', async () => {
    await expect(read([entry(1, STRANGER, 1), ...LIST.slice(1)])).rejects.toMatchObject({
      message: 'the list is not the one that was sealed',
    });
    const other = scriptedLog({ receiptKey: someAddress(), entries: LIST });
    await expect(read(LIST, other)).rejects.toMatchObject({ message: 'another log is shown' });
  });
});

it('a pot that many transactions name behind the seal is read by a higher --most', async () => {
  const chain = scriptedChain({ transactions: [previous(NOW), own100], accounts: {} });
  // As one that has 30,000 later ones, of which the oldest are behind the next seal.
  const named: typeof chain = {
    ...chain,
    history: async (address, range) => {
      const { entries } = await chain.history(address, range);
      return { entries, isWhole: range.until !== 'seal' || range.most > 30_000 };
    },
  };
  const read = (most: number) => readPotHistory(named, document, { seal: SEAL, most, tenures: null });
  await expect(read(2_000)).rejects.toThrow('name the pot since the seal: raise --most');
  await expect(read(4_000)).resolves.toMatchObject({ isClosed: false });
});

it('a root that many transactions name is found by a higher --most', async () => {
  const chain = scriptedChain({ transactions: [previous(NOW), byPot('paid', NOW, 55), own100], accounts: {} });
  const named: typeof chain = {
    ...chain,
    history: async (address, range) => {
      const { entries, isWhole } = await chain.history(address, range);
      return { entries, isWhole: address === rootAddress(own.root) ? range.most > 30_000 : isWhole };
    },
  };
  const read = (most: number) => checkSeal({ chain: named, platformWallet: NOW, most }, document);
  await expect(read(2_000)).rejects.toThrow('name the root');
  await expect(read(4_000)).resolves.toMatchObject({ value: { signature: 'seal' } });
});
