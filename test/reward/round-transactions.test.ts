import { TOKEN_2022_PROGRAM_ID, TOKEN_PROGRAM_ID } from '@solana/spl-token';
import { Connection, Keypair, PublicKey, SystemProgram } from '@solana/web3.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createStamp } from '../../chain/lanes/stamp.ts';
import type { Lane } from '../../chain/lanes/lane.ts';
import {
  fitsOneTransaction,
  payoutBytes,
  payoutWork,
  type Recipient,
  refusingRecipient,
} from '../../chain/reward/pay-holders.ts';
import { buildTaxWithdrawal, TAX_SOURCES_PER_TRANSACTION } from '../../chain/reward/round-transaction.ts';
import { readSeal, sealWork } from '../../chain/transactions/seal.ts';
import { createRpc, type Rpc } from '../../chain/rpc/rpc.ts';
import { readTaxAt } from '../../chain/tokens/withheld-tax.ts';
import type { SignedTransaction } from '../../chain/transactions/compile.ts';
import { compilePurposed, type PurposeFrame, signPurposed } from '../../chain/transactions/purposed.ts';
import { rewardPurpose } from '../../domain/reward/purpose.ts';
import { type Localnet, startLocalnet } from '../../dev/localnet/index.ts';
import { makeTestLane, testSecret } from '../support/lanes/stamps.ts';
import { eventually } from '../support/platform/eventually.ts';
import { accountOf, createTestChain, type TestChain } from '../support/exchange/test-chain.ts';
import type { TokenInfo } from '../../chain/tokens/token.ts';

let localnet: Localnet;
let chain: TestChain;
let rpc: Rpc;
let lane: Lane;
const [payer, wallet] = [Keypair.generate(), Keypair.generate()];
const PURPOSE = rewardPurpose('3f0c1c1e-7d1e-4a53-9a0c-7f6e3a1f0b11', 999_999);

beforeAll(async () => {
  localnet = await startLocalnet({ slotMs: 20 });
  const connection = new Connection(localnet.rpcUrl, 'confirmed');
  chain = await createTestChain(connection, async (who, lamports) => {
    localnet.control.fund(who.toBase58(), BigInt(lamports));
  });
  await chain.fund(payer.publicKey, 10_000_000_000);
  rpc = createRpc({ endpoints: [localnet.rpcUrl] });
  lane = await makeTestLane(localnet.rpcUrl, payer.publicKey);
});
afterAll(() => localnet.close());

/** The greatest number up to `most` that something holds for. */
function greatest(holds: (count: number) => boolean, most: number): number {
  let count = most;
  while (count > 0 && !holds(count)) count--;
  return count;
}

async function makeToken(kind: 'classic' | 'taxed'): Promise<TokenInfo> {
  const mint = Keypair.generate();
  const tax = { transferFee: { bps: 300, maximumRaw: 2n ** 64n - 1n } };
  const token: TokenInfo = {
    mint: mint.publicKey,
    decimals: 9,
    ...(kind === 'taxed' ? { tokenProgram: TOKEN_2022_PROGRAM_ID, ...tax } : { tokenProgram: TOKEN_PROGRAM_ID }),
  };
  await chain.createToken(token, mint, 10n ** 18n, chain.bank.publicKey);
  await chain.give(token, wallet.publicKey, 10n ** 17n);
  return token;
}

async function frameNow(): Promise<PurposeFrame> {
  const { blockhash } = await rpc.latestBlockhash();
  const supply = await chain.connection.getTokenSupply(lane.mint, 'confirmed');
  const from = BigInt(supply.value.amount);
  const stamp = createStamp({ lane, signer: payer, secret: testSecret(), purpose: PURPOSE, from, blockhash });
  return { stamp, payer, wallet, computeUnitPrice: 50_000n };
}

/** Sends as the platform does, and answers the transaction's error and the compute units that were left. */
async function land(signed: SignedTransaction) {
  const { err, used } = await landed(signed);
  return { err, used };
}

async function landed({ signature, wire }: SignedTransaction) {
  expect(wire.length).toBeLessThanOrEqual(1_232);
  await chain.connection.sendRawTransaction(wire, { skipPreflight: true });
  const options = { commitment: 'confirmed', maxSupportedTransactionVersion: 0 } as const;
  const { meta } = await eventually(() => chain.connection.getTransaction(signature, options));
  return { err: meta?.err, used: meta?.computeUnitsConsumed ?? Infinity, signature, wire };
}

const recipient = (opensAccount: boolean, amountRaw = 1_000_000n): Recipient => ({
  owner: Keypair.generate().publicKey,
  amountRaw,
  opensAccount,
});

describe.each(['classic', 'taxed'] as const)('payouts of a %s quote token', (kind) => {
  let quote: TokenInfo;
  beforeAll(async () => {
    quote = await makeToken(kind);
  });

  it.each([
    ['to as many holders as fit, who have an account', 0],
    ['to as many as fit, for whom one is made', 7],
    ['to some of each', 1],
    ['to some of each', 5],
  ])('%s: fit one transaction and land, and its size is known beforehand', async (_what, most) => {
    const fresh = greatest((opened) => fitsOneTransaction(quote, { paid: 0, opened }), most);
    const existing = greatest((paid) => fitsOneTransaction(quote, { paid, opened: fresh }), 20);
    // The register costs one recipient at most: before it, 14 had room, or 7 for whom an account was made.
    if (most === 0) expect(existing).toBeGreaterThanOrEqual(13);
    if (most === 7) expect(fresh).toBeGreaterThanOrEqual(6);
    const holders = Array.from({ length: existing }, () => recipient(false));
    for (const { owner } of holders) await chain.openAccount(quote, owner);
    const recipients = [...holders, ...Array.from({ length: fresh }, () => recipient(true))];
    const frame = await frameNow();
    const work = payoutWork({ ...frame, quote, recipients });
    const signed = await signPurposed(frame, work);
    expect(signed.wire.length).toBe(payoutBytes(quote, { paid: existing, opened: fresh }));
    const { err, used } = await land(signed);
    expect(err).toBeNull();
    expect(used).toBeLessThan(work.computeUnits);
    const net = kind === 'taxed' ? 970_000n : 1_000_000n;
    for (const { owner } of recipients) expect(await chain.balance(accountOf(quote, owner))).toBe(net);
  });

  it('name the recipient whose account is gone, and no other', async () => {
    const holders = [recipient(true), recipient(false), recipient(false), recipient(true)];
    await chain.openAccount(quote, holders[1]!.owner);
    const frame = await frameNow();
    const simulate = async (recipients: readonly Recipient[]) => {
      const unsigned = compilePurposed(frame, payoutWork({ ...frame, quote, recipients })).serialize();
      return refusingRecipient(
        recipients,
        50_000n,
        await rpc.simulateTransaction(unsigned, { verifySignatures: false }),
      );
    };
    expect(await simulate(holders)).toBe(holders[2]);
    expect(await simulate(holders.filter((one) => one !== holders[2]))).toBeUndefined();
  });

  it('that the ledger is behind with are nobody’s fault, and throw', async () => {
    const recipients = [recipient(true)];
    const frame = await frameNow();
    const { blockhash } = frame.stamp;
    const options = { lane, signer: payer, secret: testSecret(), purpose: PURPOSE, from: 7n, blockhash };
    const behind = { ...frame, stamp: createStamp(options) };
    const unsigned = compilePurposed(behind, payoutWork({ ...behind, quote, recipients })).serialize();
    const simulation = await rpc.simulateTransaction(unsigned, { verifySignatures: false });
    expect(() => refusingRecipient(recipients, 50_000n, simulation)).toThrow(/payouts would fail/);
    // Whatever the step says of it.
    const other = { ...simulation, err: { InstructionError: [1, 'InvalidAccountData'] } };
    expect(() => refusingRecipient(recipients, 50_000n, other)).toThrow(/payouts would fail/);
  });

  it('that the pot cannot pay are nobody’s fault, and throw', async () => {
    const holders = [recipient(true, 10n ** 18n - 1n)];
    const frame = await frameNow();
    const unsigned = compilePurposed(frame, payoutWork({ ...frame, quote, recipients: holders })).serialize();
    const simulation = await rpc.simulateTransaction(unsigned, { verifySignatures: false });
    expect(() => refusingRecipient(holders, 50_000n, simulation)).toThrow(/payouts would fail: .*"Custom":1/);
  });
});

describe('a seal', () => {
  const root = Uint8Array.from({ length: 32 }, (_, index) => index + 1);
  const about = wallet.publicKey;

  it('lands, names root and pot and nothing else, and is found in the history of the root', async () => {
    const { err, used, signature, wire } = await landed(
      await signPurposed(await frameNow(), sealWork(payer.publicKey, { root, about })),
    );
    expect([err, wire.length]).toEqual([null, 477]);
    expect(used).toBeLessThan(1_000);
    expect(readSeal(wire)).toEqual({ root, about });
    const history = await chain.connection.getSignaturesForAddress(new PublicKey(root), {}, 'confirmed');
    expect(history.map((entry) => entry.signature)).toEqual([signature]);
  });

  it('is no transaction that moves lamports or does anything beside', async () => {
    const frame = await frameNow();
    const work = sealWork(payer.publicKey, { root, about });
    const [seal] = work.instructions;
    const paying = SystemProgram.transfer({ fromPubkey: payer.publicKey, toPubkey: payer.publicKey, lamports: 1 });
    paying.keys.push(...seal!.keys.slice(2));
    const away = SystemProgram.transfer({ fromPubkey: payer.publicKey, toPubkey: about, lamports: 0 });
    away.keys.push(...seal!.keys.slice(2));
    for (const instructions of [[paying], [away], [seal!, seal!], []]) {
      const { wire } = await signPurposed(frame, { ...work, instructions });
      expect(readSeal(wire)).toBeNull();
    }
  });
});

describe('withheld tax', () => {
  it('of as many accounts as one transaction takes is found and withdrawn; then that of the mint', async () => {
    const base = await makeToken('taxed');
    const owners = Array.from({ length: TAX_SOURCES_PER_TRANSACTION }, () => Keypair.generate().publicKey);
    for (const [index, owner] of owners.entries()) await chain.give(base, owner, 1_000n * BigInt(index + 1));
    const found = await rpc.withheldTax(base.mint);
    // The pot's own account was given tokens first.
    expect(found.map(({ raw }) => raw)).toEqual([
      3n * 10n ** 15n,
      ...owners.map((_, i) => 30n * BigInt(i + 1)).reverse(),
    ]);
    const pot = accountOf(base, wallet.publicKey);
    expect(await readTaxAt(chain.connection, base.mint, pot)).toEqual({ mintRaw: 0n, accountRaw: 3n * 10n ** 15n });
    const before = await chain.balance(pot);
    const sources = found.slice(1).map(({ account }) => new PublicKey(account));
    const request = { ...(await frameNow()), authority: chain.bank, base };
    const { err, used } = await land(await buildTaxWithdrawal({ ...request, sources }));
    expect([err, used < 100_000]).toEqual([null, true]);
    const total = owners.reduce((sum, _, index) => sum + 30n * BigInt(index + 1), 0n);
    expect((await chain.balance(pot)) - before).toBe(total);
    // Again: nothing is left there, and that is no failure.
    const again = { ...request, ...(await frameNow()), computeUnitPrice: 50_001n };
    expect((await land(await buildTaxWithdrawal({ ...again, sources }))).err).toBeNull();
    const once = { ...request, ...(await frameNow()) };
    expect((await land(await buildTaxWithdrawal({ ...once, sources: [base.mint] }))).err).toBeNull();
    expect((await chain.balance(pot)) - before).toBe(total);
  });
});
