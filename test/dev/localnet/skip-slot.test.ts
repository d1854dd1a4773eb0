import { afterEach, beforeEach, expect, test } from 'vitest';
import { signatureOf, SOL, someone, startChain, type TestChain, transfer } from '../../support/dev/localnet-chain.ts';

let chain: TestChain;
beforeEach(async () => {
  chain = await startChain();
  chain.advance(3);
});
afterEach(() => chain.node.close());

async function landTransfers(count: number) {
  const recipients = Array.from({ length: count }, someone);
  const signatures: string[] = [];
  for (const to of recipients) signatures.push(await chain.land(await chain.sign([transfer(chain.wallet, to, SOL)])));
  return { recipients, signatures };
}

test('a dropped slot undoes every transaction in it and forgets them', async () => {
  const before = await chain.balance(chain.wallet.publicKey);
  const { recipients, signatures } = await landTransfers(3);
  chain.advance(1);
  const { dropped } = chain.node.control.skipSlot();
  expect(dropped).toEqual(signatures);
  expect(await chain.statuses(signatures, true)).toEqual([null, null, null]);
  expect(await chain.balance(chain.wallet.publicKey)).toBe(before);
  for (const to of recipients) expect(await chain.balance(to)).toBe(0);
});

test('chosen transactions of a dropped slot land again one by one in later slots', async () => {
  const { recipients, signatures } = await landTransfers(3);
  const slot = await chain.slot('processed');
  chain.node.control.skipSlot({ reland: [2, 0] });
  chain.advance(3);
  const [first, second, third] = await chain.statuses(signatures);
  expect(second).toBeNull();
  expect(third?.slot).toBeGreaterThan(slot);
  expect(first?.slot).toBe((third?.slot ?? 0) + 1);
  const balances = await Promise.all(recipients.map((to) => chain.balance(to)));
  expect(balances).toEqual([1e9, 0, 1e9]);
});

test('a dropped slot is never used again, and the block after it builds on the one before it', async () => {
  await landTransfers(1);
  const slot = await chain.slot('processed');
  const height = await chain.height('processed');
  chain.node.control.skipSlot();
  expect(await chain.slot('processed')).toBeGreaterThan(slot);
  expect(await chain.height('processed')).toBe(height);
  chain.advance(2);
  expect((await chain.failure('getBlock', [slot, { commitment: 'confirmed' }])).code).toBe(-32007);
});

test('a blockhash of a dropped block is not valid', async () => {
  chain.advance(1);
  const { blockhash } = await chain.latestBlockhash();
  chain.node.control.skipSlot({ slots: 3 });
  expect(await chain.call('isBlockhashValid', [blockhash, { commitment: 'processed' }])).toMatchObject({
    value: false,
  });
});

test('several slots can be dropped, confirmed ones too', async () => {
  const { signatures, recipients } = await landTransfers(1);
  chain.advance(10);
  expect((await chain.statuses(signatures))[0]?.confirmationStatus).toBe('confirmed');
  chain.node.control.skipSlot({ slots: 11 });
  expect(await chain.statuses(signatures, true)).toEqual([null]);
  expect(await chain.balance(recipients[0] ?? someone())).toBe(0);
});

test('a finalized slot cannot be dropped', async () => {
  const { signatures } = await landTransfers(1);
  chain.advance(31);
  expect(() => chain.node.control.skipSlot()).toThrow(/is finalized/);
  expect((await chain.statuses(signatures))[0]?.confirmationStatus).toBe('finalized');
});

test('a transaction that depended on another dropped one does not land alone', async () => {
  const middle = chain.fundedWallet(1n);
  chain.node.control.setAccounts([[middle.publicKey.toBase58(), null]]);
  const fund = await chain.sign([transfer(chain.wallet, middle.publicKey, 2n * SOL)]);
  const spend = await chain.sign([transfer(middle, someone(), SOL)], { payer: middle });
  await chain.land(fund);
  await chain.land(spend);
  chain.node.control.skipSlot({ reland: [1] });
  chain.advance(2);
  expect(await chain.statuses([signatureOf(fund), signatureOf(spend)])).toEqual([null, null]);
});

test('a dropped transaction can be sent again by its owner', async () => {
  const to = someone();
  const transaction = await chain.sign([transfer(chain.wallet, to, SOL)]);
  await chain.land(transaction);
  chain.node.control.skipSlot();
  await chain.land(transaction);
  expect(await chain.balance(to)).toBe(Number(SOL));
});
