import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { deriveReceiptKey } from '../../chain/keys/receipt-key.ts';
import type { Instruction } from '../../client/solana/message.ts';
import { MEMO_PROGRAM, SYSTEM_PROGRAM, TOKEN_2022_PROGRAM } from '../../client/solana/programs.ts';
import { exitCodeOf } from '../../client/verify/check.ts';
import type { Landed } from '../../client/verify/landed.ts';
import { verifyReceipt } from '../../client/verify/receipt/verify-receipt.ts';
import type { WalletEntry } from '../../client/verify/wallets/wallet-list.ts';
import { type ReceiptEnd, receiptText } from '../../domain/launch/receipt.ts';
import { landed, scriptedChain, someAddress } from '../support/proof/scripted-chain.ts';
import { scriptedLog, sealing } from '../support/proof/scripted-log.ts';
import { expectShown } from '../support/proof/shown-verdict.ts';

const [creator, launchWallet, mint, friend] = [someAddress(), someAddress(), someAddress(), someAddress()] as const;
const platform = someAddress();
const QUOTE = '07b1e5fa-5fdf-4cc8-83ce-2e2174a98464';
const [PAID, FEE] = [250_000_000n, 10_000n];

const key = deriveReceiptKey(
  { id: 'seed-1', secret: new Uint8Array(32).fill(7) },
  { environment: 'test', genesisHash: 'genesis' },
);

const account = (address: string, isSigner = false) => ({ address, isSigner, isWritable: true });
const memo = (text: string): Instruction => {
  return { program: MEMO_PROGRAM, accounts: [account(launchWallet, true)], data: new TextEncoder().encode(text) };
};
const transfer = (lamports: bigint): Instruction => {
  const data = new DataView(new ArrayBuffer(12));
  data.setUint32(0, 2, true);
  data.setBigUint64(4, lamports, true);
  const accounts = [account(creator, true), account(launchWallet)];
  return { program: SYSTEM_PROGRAM, accounts, data: new Uint8Array(data.buffer) };
};

const payment = landed({
  signature: 'payment',
  slot: 5,
  signers: [creator, launchWallet],
  instructions: [transfer(PAID), memo(`launch/${QUOTE}/1`)],
  lamports: new Map([
    [creator, -(PAID + FEE)],
    [launchWallet, PAID],
  ]),
});
const refund = landed({
  signature: 'refund',
  slot: 9,
  signers: [friend, launchWallet],
  lamports: new Map([[creator, PAID + FEE]]),
});
const gift = landed({ signature: 'gift', slot: 6, signers: [friend], tokens: [], instructions: [transfer(1n)] });

interface Scene {
  readonly end: ReceiptEnd;
  readonly transactions: readonly Landed[];
  readonly height?: number;
  readonly isValid?: boolean;
}

const refunded: Scene = {
  end: { kind: 'refunded', lamports: String(PAID), refundSignature: 'refund' },
  transactions: [payment, refund],
};
const token = (tag: number): Instruction => {
  return {
    program: TOKEN_2022_PROGRAM,
    accounts: [account(mint)],
    data: Uint8Array.from([tag, 1, 0, 0, 0, 0, 0, 0, 0]),
  };
};
/** The step of a launch that was resumed: it landed behind the payment's block. */
const step = (n: number, more: Partial<Landed> = {}): Landed => {
  const facts = { signers: [launchWallet], instructions: [memo(`launch/${QUOTE}/${n}`)], ...more };
  return landed({ signature: `step ${n}`, slot: 7, ...facts });
};
const minting = [token(20), token(7), memo(`launch/${QUOTE}/2`)];
const resumed = [payment, step(2, { signers: [launchWallet, mint], instructions: minting }), step(3), step(4)];
const completed: Scene = {
  end: {
    kind: 'completed',
    lamports: String(PAID),
    mint,
    slot: 5,
    signatures: resumed.map(({ signature }) => signature),
  },
  transactions: resumed,
};
const notCharged: Scene = {
  end: { kind: 'notCharged', blockhash: 'hash', lastValidBlockHeight: 100 },
  transactions: [gift],
};

/** The platform's statement about the receipt's log; default: a sealed log has it. */
interface Logged {
  readonly digest?: string;
  readonly isShown?: false;
  /** Seals it. */
  readonly payer?: string;
  readonly isSealed?: false;
  /** Slots in which logs without it are sealed. */
  readonly later?: readonly number[];
  /** The chain's newest slot. */
  readonly head?: number;
  /** The key that signed is not used any more. */
  readonly isRetired?: true;
}

function verified({ end, transactions, height = 133, isValid = false }: Scene, logged: Logged = {}) {
  const subject = { environment: 'test', genesisHash: 'genesis', quoteId: QUOTE, creator, launchWallet };
  const text = key.receiptFor(receiptText({ ...subject, paymentSignature: 'payment', ...end }));
  const { digest = createHash('sha256').update(text).digest('hex'), payer = platform, head = 400 } = logged;
  const log = scriptedLog({ receiptKey: key.address, digests: [digest, 'ab'.repeat(32)] });
  const seal = sealing(log, { signature: 'seal', slot: 360, payer, about: key.address });
  const others = (logged.later ?? []).map((slot) => {
    const other = scriptedLog({ receiptKey: key.address, slot });
    return sealing(other, { signature: `seal ${slot}`, slot, payer, about: key.address });
  });
  const own = logged.isSealed === false ? [] : [seal, ...others];
  const chain = scriptedChain({ transactions: [...transactions, ...own], accounts: {} });
  const used = { mint: null, event: 'used', slot: 1, notedAt: '2026-11-21T12:00:00.000Z' } as const;
  const keys: WalletEntry[] = [
    { ...used, number: 1, role: 'receipts', address: key.address },
    { ...used, number: 2, role: 'platform', address: platform },
  ];
  if (logged.isRetired) keys.push({ ...keys[0]!, number: 3, event: 'retired', slot: 380 });
  return verifyReceipt({
    text: () => Promise.resolve(text),
    source: 'the receipt',
    chain: {
      ...chain,
      head: () => Promise.resolve(head),
      expiry: () => Promise.resolve({ height, isValid }),
    },
    keys: () => Promise.resolve(keys),
    log: () => Promise.resolve(logged.isShown === false ? null : { text: [log.text], source: 'the log' }),
  });
}

it.each<[string, Scene]>([
  ['a refund of all that the payment cost', refunded],
  ['a launch that was resumed behind its payment’s block', completed],
  ['a payment that expired, whatever strangers send to the launch wallet', notCharged],
])('%s is proven', async (_what, scene) => {
  expect(exitCodeOf(await verified(scene))).toBe(0);
});

it('docs/verify.md shows the verdict on a refund', async () => {
  expectShown('receipt', await verified(refunded));
});

it.each<[string, Scene]>([
  ['has a block less than the margin behind it', { ...notCharged, height: 132 }],
  ['has a blockhash that still counts', { ...notCharged, isValid: true }],
])('a payment that %s is open', async (_what, scene) => {
  expect(exitCodeOf(await verified(scene))).toBe(2);
});

it.each<[string, Scene]>([
  ['less given back than was paid', { ...refunded, transactions: [payment, { ...refund, lamports: new Map() }] }],
  [
    'a launch of which a part failed',
    { ...completed, transactions: [...resumed.slice(0, 3), step(4, { hasFailed: true })] },
  ],
  [
    'a launch of another payment',
    {
      ...completed,
      transactions: [{ ...payment, signature: 'other' }, ...resumed.slice(1)],
      end: { ...completed.end, signatures: ['other', 'step 2', 'step 3', 'step 4'] } as ReceiptEnd,
    },
  ],
  [
    'what a stranger paid the creator, as a refund',
    { ...refunded, transactions: [payment, { ...refund, signers: [friend] }] },
  ],
  ['a refund that failed', { ...refunded, transactions: [payment, { ...refund, hasFailed: true }] }],
  [
    'a refund of another launch',
    { ...refunded, transactions: [{ ...payment, instructions: [transfer(PAID), memo('launch/x/1')] }, refund] },
  ],
  ['a payment of another amount', { ...refunded, end: { kind: 'refunded', lamports: '1', refundSignature: 'refund' } }],
])('%s is a difference', async (_what, scene) => {
  const checks = await verified(scene);
  expect(checks.filter(({ status }) => status === 'different').map(({ name }) => name)).toEqual(['chain']);
  expect(exitCodeOf(checks)).toBe(1);
});

const problems = async (checks: ReturnType<typeof verified>) =>
  (await checks).flatMap(({ name, status }) => (status === 'proven' ? [] : [`${name} ${status}`]));

it.each<[string, Logged]>([
  ['is in a log that a stranger sealed', { payer: friend }],
  ['is in a log that nobody sealed', { isSealed: false }],
])('a receipt that %s is named', async (_what, logged) => {
  expect(await problems(verified(refunded, logged))).toEqual(['log different']);
});

it('a payment that could have landed two hours ago, and whose receipt no later log has, is named', async () => {
  const late = { isShown: false, head: 60_000, later: [50_000, 55_000] } as const;
  expect(await problems(verified({ ...notCharged, height: 40_100 }, late))).toEqual(['log different']);
  expect(await problems(verified({ ...notCharged, height: 20_100 }, late))).toEqual(['log unprovable']);
  expect(await problems(verified(notCharged, { isShown: false }))).toEqual(['log unprovable']);
});

it('a young receipt in no log is open, and one of a retired key in a log is proven', async () => {
  expect(await problems(verified(refunded, { isShown: false }))).toEqual(['log unprovable']);
  expect(await problems(verified(completed, { isShown: false, later: [18_010, 22_510] }))).toEqual(['log different']);
  expect(exitCodeOf(await verified(refunded, { isRetired: true }))).toBe(0);
});

it.each<[string, readonly number[]]>([
  ['has sealed no log since', [300]],
  ['has sealed one log since, maybe before the receipt was signed', [300, 40_000]],
  ['sealed two in short order then', [40_000, 40_100]],
])('an old receipt of a platform that was down and %s is open', async (_what, later) => {
  expect(await problems(verified(refunded, { isShown: false, head: 50_000, later }))).toEqual(['log unprovable']);
});
