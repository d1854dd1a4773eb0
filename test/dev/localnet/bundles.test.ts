import type { VersionedTransaction } from '@solana/web3.js';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  base64,
  signatureOf,
  SOL,
  someone,
  startChain,
  type TestChain,
  transfer,
  type Value,
} from '../../support/dev/localnet-chain.ts';

let chain: TestChain;
beforeEach(async () => {
  chain = await startChain();
});
afterEach(() => chain.node.close());

interface BundleAnswer {
  readonly summary: unknown;
  readonly transactionResults: {
    readonly err: unknown;
    readonly preExecutionAccounts: ({ lamports: number } | null)[] | null;
    readonly postExecutionAccounts: ({ lamports: number } | null)[] | null;
  }[];
}

/** A wallet that the first transaction funds and that pays for the second. */
async function chained(): Promise<{
  wires: string[];
  transactions: VersionedTransaction[];
  to: ReturnType<typeof someone>;
}> {
  const [middle, to] = [chain.fundedWallet(1n), someone()];
  chain.node.control.setAccounts([[middle.publicKey.toBase58(), null]]);
  const transactions = [
    await chain.sign([transfer(chain.wallet, middle.publicKey, 2n * SOL)]),
    await chain.sign([transfer(middle, to, SOL)], { payer: middle }),
  ];
  return { wires: transactions.map(base64), transactions, to };
}

async function simulated(wires: string[], options: Record<string, unknown> = {}): Promise<BundleAnswer> {
  const params = [{ encodedTransactions: wires }, options];
  return (await chain.call<Value<BundleAnswer>>('simulateBundle', params)).value;
}

test('a bundle lands in one slot in order, a later transaction on what an earlier one did', async () => {
  const { wires, transactions, to } = await chained();
  await chain.call('sendBundle', [wires, { encoding: 'base64' }]);
  const statuses = await chain.statuses(transactions.map(signatureOf));
  expect(new Set(statuses.map((status) => status?.slot)).size).toBe(1);
  expect(await chain.balance(to)).toBe(Number(SOL));
});

test('a bundle with one failing transaction lands nothing and charges nothing', async () => {
  const { wires, transactions } = await chained();
  const failing = base64(await chain.sign([transfer(chain.wallet, someone(), 5000n * SOL)]));
  const before = await chain.balance(chain.wallet.publicKey);
  const error = await chain.failure('sendBundle', [[...wires, failing], { encoding: 'base64' }]);
  expect(error.data).toMatchObject({ index: 2, err: { InstructionError: [0, { Custom: 1 }] } });
  expect(await chain.balance(chain.wallet.publicKey)).toBe(before);
  expect(await chain.statuses(transactions.map(signatureOf))).toEqual([null, null]);
});

test('a bundle that did not land can land afterwards', async () => {
  const { wires, to } = await chained();
  const failing = base64(await chain.sign([transfer(chain.wallet, someone(), 5000n * SOL)]));
  await chain.failure('sendBundle', [[...wires, failing], { encoding: 'base64' }]);
  await chain.call('sendBundle', [wires, { encoding: 'base64' }]);
  expect(await chain.balance(to)).toBe(Number(SOL));
});

test('a bundle with a transaction that landed already is refused whole', async () => {
  const { wires, to } = await chained();
  await chain.call('sendTransaction', [wires[0], { encoding: 'base64', preflightCommitment: 'processed' }]);
  const error = await chain.failure('sendBundle', [wires, { encoding: 'base64' }]);
  expect(error.data).toMatchObject({ index: 0, err: 'AlreadyProcessed' });
  expect(await chain.balance(to)).toBe(0);
});

test('a simulated bundle shows accounts before and after each transaction and leaves no trace', async () => {
  const { wires, to } = await chained();
  const accounts = [null, { addresses: [to.toBase58()], encoding: 'base64' }];
  const { summary, transactionResults } = await simulated(wires, {
    preExecutionAccountsConfigs: accounts,
    postExecutionAccountsConfigs: accounts,
  });
  expect(summary).toBe('succeeded');
  expect(transactionResults[1]?.preExecutionAccounts).toEqual([null]);
  expect(transactionResults[1]?.postExecutionAccounts?.[0]?.lamports).toBe(Number(SOL));
  expect(await chain.balance(to)).toBe(0);
});

test('a simulated bundle stops at the transaction that fails and names it', async () => {
  const { wires } = await chained();
  const failing = await chain.sign([transfer(chain.wallet, someone(), 5000n * SOL)]);
  const { summary, transactionResults } = await simulated([base64(failing), ...wires]);
  expect(summary).toMatchObject({ failed: { tx_signature: signatureOf(failing) } });
  expect(transactionResults.map(({ err }) => err)).toEqual([{ InstructionError: [0, { Custom: 1 }] }]);
});

test('a bundle is simulated without signatures and with an expired blockhash when that is asked for', async () => {
  const transaction = await chain.sign([transfer(chain.wallet, someone(), SOL)]);
  transaction.signatures[0] = new Uint8Array(64);
  chain.node.control.expireBlockhashes();
  const [wire] = [base64(transaction)];
  const lenient = await simulated([wire], { skipSigVerify: true, replaceRecentBlockhash: true });
  expect(lenient.summary).toBe('succeeded');
  const strict = await simulated([wire]);
  expect(strict.transactionResults[0]?.err).toBe('BlockhashNotFound');
});

test('a bundle is simulated on the slot that was asked for, and on no other', async () => {
  const { wires } = await chained();
  const slot = await chain.slot('processed');
  expect((await simulated(wires, { simulationBank: { slot } })).summary).toBe('succeeded');
  const error = await chain.failure('simulateBundle', [
    { encodedTransactions: wires },
    { simulationBank: { slot: slot + 9 } },
  ]);
  expect(error.message).toBe(`bank not found for slot ${slot + 9}`);
});
