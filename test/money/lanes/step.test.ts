import {
  AuthorityType,
  createApproveInstruction,
  createAssociatedTokenAccountInstruction,
  createBurnInstruction,
  createCloseAccountInstruction,
  createMintToInstruction,
  createSetAuthorityInstruction,
  createTransferInstruction,
  getAssociatedTokenAddressSync,
} from '@solana/spl-token';
import { Keypair, type PublicKey, SystemProgram, type TransactionInstruction } from '@solana/web3.js';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Lane } from '../../../chain/lanes/lane.ts';
import { numberOf, onceAddress } from '../../../chain/lanes/lane-secret.ts';
import { createStamp } from '../../../chain/lanes/stamp.ts';
import { failsAtStep, readStep, STEP_INSTRUCTIONS } from '../../../chain/lanes/step.ts';
import { compileTransaction } from '../../../chain/transactions/compile.ts';
import { signMovement } from '../../../chain/transactions/purposed.ts';
import type { Purpose } from '../../../domain/purpose.ts';
import { type BareChain, startBareChain } from '../../support/lanes/bare-chain.ts';
import { testSecret } from '../../support/lanes/stamps.ts';

let chain: BareChain;
let lane: Lane;
let pot: Keypair;
const secret = testSecret();
const PAID = 1_000_000n;
const OVERFLOW = '{"InstructionError":[2,{"Custom":14}]}';
const TOO_FEW = '{"InstructionError":[3,{"Custom":1}]}';
beforeEach(async () => {
  chain = startBareChain();
  pot = Keypair.generate();
  chain.fund(pot.publicKey);
  lane = await chain.lane(7);
  chain.pass(1);
});

const someone = () => Keypair.generate().publicKey;

/** Signs the payment of a purpose on a value. */
function pay(purpose: string, from: bigint, to: PublicKey, lamports = PAID) {
  const stamp = createStamp({ lane, signer: chain.platform, secret, purpose: purpose as Purpose, from, blockhash: '' });
  const wire = chain.sign(stamp.mark([transfer(to, lamports)]), [pot]);
  return { wire, from, to: stamp.stepOn(wire).to };
}

function stampOptions() {
  return { lane, signer: chain.platform, secret, purpose: 'p/1' as Purpose, from: 0n, blockhash: '' };
}

function transfer(toPubkey: PublicKey, lamports: bigint): TransactionInstruction {
  return SystemProgram.transfer({ fromPubkey: pot.publicKey, toPubkey, lamports });
}

describe('a step', () => {
  it('happens once: the same bytes, the same signed anew and another purpose on its value change nothing', () => {
    const [holder, other] = [someone(), someone()];
    const first = pay('p/1', 0n, holder);
    expect(chain.send(first.wire)).toBeNull();
    expect(chain.value(lane)).toBe(first.to);
    expect(chain.send(first.wire)).toBe('not landed');
    expect(chain.send(pay('p/1', 0n, holder).wire)).toBe(OVERFLOW);
    expect(chain.send(pay('p/2', 0n, other).wire)).toBe(OVERFLOW);
    expect([chain.lamports(holder), chain.lamports(other)]).toEqual([PAID, 0n]);
  });

  it('is told from what follows it where it fails', () => {
    const { wire } = pay('p/1', 0n, someone());
    const fails = (error: unknown, of = wire) => failsAtStep(of, error);
    expect([OVERFLOW, TOO_FEW].map((text) => fails(JSON.parse(text)))).toEqual([true, true]);
    expect(fails({ InstructionError: [5, { Custom: 1 }] })).toBe(false);
    expect(fails({ InsufficientFundsForRent: { account_index: 2 } })).toBe(false);
    expect(fails('BlockhashNotFound')).toBe(false);
    const other = chain.sign([transfer(someone(), PAID), transfer(someone(), PAID)], [pot]);
    expect(fails({ InstructionError: [0, { Custom: 1 }] }, other)).toBe(false);
  });

  it('of two rivals in one block happens for one of them', () => {
    const [holder, other] = [someone(), someone()];
    const [a, b] = [pay('p/1', 0n, holder), pay('p/2', 0n, other)];
    expect([chain.send(a.wire, false), chain.send(b.wire)]).toEqual([null, OVERFLOW]);
    expect([chain.lamports(holder), chain.lamports(other)]).toEqual([PAID, 0n]);
  });

  it('ahead of its turn, or with what follows it failing, leaves the register and moves nothing', () => {
    const holder = someone();
    const first = pay('p/1', 0n, holder);
    expect(chain.send(pay('p/2', first.to, someone()).wire)).toBe(TOO_FEW);
    expect(chain.send(pay('p/1', 0n, holder, 10n ** 15n).wire)).toContain('InstructionError');
    expect(chain.value(lane)).toBe(0n);
    expect(chain.send(first.wire)).toBeNull();
    expect(chain.lamports(holder)).toBe(PAID);
  });

  it('that a fork takes back happens again, and its successor not without it', () => {
    const holders = [someone(), someone()];
    const slot = chain.ledger.slot;
    const first = pay('p/1', 0n, holders[0]!);
    const second = pay('p/2', first.to, holders[1]!);
    expect([chain.send(first.wire), chain.send(second.wire)]).toEqual([null, null]);
    chain.ledger.dropFrom(slot);
    expect(chain.send(second.wire)).toBe(TOO_FEW);
    expect(chain.send(first.wire)).toBeNull();
    expect(chain.send(pay('p/2', first.to, holders[1]!).wire)).toBeNull();
    expect(holders.map((holder) => chain.lamports(holder))).toEqual([PAID, PAID]);
  });

  it('has another value with other content, another purpose or another past: a value says which version landed', () => {
    const [holder, other] = [someone(), someone()];
    const values = [
      pay('p/1', 0n, holder),
      pay('p/1', 0n, other),
      pay('p/1', 0n, holder, PAID + 1n),
      pay('p/2', 0n, holder),
      pay('p/1', 5n, holder),
    ].map(({ to }) => to);
    expect(new Set(values).size).toBe(values.length);
    expect(values.every((value) => numberOf(value) === 1)).toBe(true);
    // The fee and the blockhash are no content.
    expect(pay('p/1', 0n, holder).to).toBe(values[0]);
  });

  it('is read back from its transaction, and from nothing that only looks like one', () => {
    const holder = someone();
    const { wire, from, to } = pay('p/1', 0n, holder);
    const step = readStep(wire)!;
    expect([step.mint, step.once, step.from, step.to]).toEqual([lane.mint, onceAddress(secret, 7, 1), from, to]);
    expect(readStep(chain.sign([transfer(holder, PAID)], [pot]))).toBeNull();
    const { platform } = chain;
    const mintTo = (amount: bigint) => createMintToInstruction(lane.mint, lane.account, platform.publicKey, amount);
    expect(readStep(chain.sign([mintTo(1n), mintTo(2n), mintTo(3n)]))).toBeNull();
  });

  it('is put on nothing that names its lane: with our signature it could turn the register back', () => {
    const burn = createBurnInstruction(lane.account, lane.mint, chain.platform.publicKey, 1n);
    const options = stampOptions();
    expect(() => createStamp(options).mark([burn])).toThrow('belongs to a lane');
    const dust = transfer(onceAddress(secret, lane.index, 1), 1n);
    expect(() => createStamp(options).mark([dust])).toThrow('belongs to a lane');
  });

  it('is signed with nothing after it but what it was put on, to the account', async () => {
    const holder = someone();
    const stamp = createStamp(stampOptions());
    const marked = stamp.mark([transfer(holder, PAID)]);
    const step = marked.slice(0, STEP_INSTRUCTIONS);
    const planOf = (instructions: readonly TransactionInstruction[]) => ({
      payer: chain.platform.publicKey,
      blockhash: someone().toBase58(),
      instructions,
      computeUnits: 100_000,
      computeUnitPrice: 1n,
    });
    const sign = (instructions: readonly TransactionInstruction[]) =>
      signMovement(stamp, compileTransaction(planOf(instructions)), [chain.platform, pot]);
    const { wire } = await sign(marked);
    expect(stamp.stepOn(wire).to).toBe(readStep(wire)?.to);
    for (const others of [[transfer(someone(), PAID)], [transfer(holder, PAID), transfer(holder, PAID)]]) {
      await expect(sign([...step, ...others])).rejects.toThrow(
        'does something else than step 1 of lane 7 was made for',
      );
      const signed = chain.sign([...step, ...others], [pot]);
      expect(() => stamp.stepOn(signed)).toThrow('does something else than step 1 of lane 7 was made for');
    }
    await expect(sign([transfer(holder, PAID)])).rejects.toThrow('does not begin with step 1 of lane 7');
  });

  it('that is no longer wanted at all ends with its lane', () => {
    const { wire } = pay('p/1', 0n, someone());
    const { publicKey } = chain.platform;
    const retire = createSetAuthorityInstruction(lane.mint, publicKey, AuthorityType.MintTokens, null);
    expect(chain.send(chain.sign([retire]))).toBeNull();
    expect(chain.send(wire)).toContain('InstructionError');
  });
});

describe('a stranger', () => {
  it('changes nothing about a lane', () => {
    const stranger = Keypair.generate();
    const { publicKey } = stranger;
    chain.fund(publicKey);
    const first = pay('p/1', 0n, someone());
    chain.send(first.wire);
    const theirs = getAssociatedTokenAddressSync(lane.mint, publicKey);
    const give = (toPubkey: PublicKey) =>
      SystemProgram.transfer({ fromPubkey: publicKey, toPubkey, lamports: 1_000_000 });
    const allowed = [
      [give(lane.mint), give(lane.account)],
      [createAssociatedTokenAccountInstruction(publicKey, theirs, publicKey, lane.mint)],
      [give(onceAddress(secret, 7, 2))],
    ];
    const refused = [
      [createMintToInstruction(lane.mint, lane.account, publicKey, 1n)],
      [createMintToInstruction(lane.mint, theirs, publicKey, 1n)],
      [createBurnInstruction(lane.account, lane.mint, publicKey, 1n)],
      [createTransferInstruction(lane.account, theirs, publicKey, 1n)],
      [createApproveInstruction(lane.account, publicKey, publicKey, 1n)],
      [createCloseAccountInstruction(lane.account, publicKey, publicKey)],
      [createSetAuthorityInstruction(lane.mint, publicKey, AuthorityType.MintTokens, publicKey)],
    ];
    for (const work of allowed) expect(chain.send(chain.sign(work, [], stranger))).toBeNull();
    for (const work of refused) expect(chain.send(chain.sign(work, [], stranger))).toContain('InstructionError');
    expect(chain.value(lane)).toBe(first.to);
    const holder = someone();
    expect(chain.send(pay('p/2', first.to, holder).wire)).toBeNull();
    expect(chain.lamports(holder)).toBe(PAID);
  });
});
