import { createHash } from 'node:crypto';
import { createBurnInstruction, createMintToInstruction } from '@solana/spl-token';
import {
  ComputeBudgetProgram,
  type MessageCompiledInstruction,
  type PublicKey,
  type TransactionInstruction,
  VersionedTransaction,
} from '@solana/web3.js';
import { InstructionFailure } from '../transactions/instruction-failure.ts';
import { type Lane, LANE_PROGRAM_ID } from './lane.ts';

const MAX = 2n ** 64n - 1n;

/** An amount follows, little-endian u64 (spl-token, instruction.rs). */
const MINT_TO = 7;
const BURN = 8;

/** Measured 361; the older program took about 14,000. */
export const STEP_COMPUTE_UNITS = 20_000;

export const STEP_INSTRUCTIONS = 3;

/** Compares the lane's value with `from`, sets it to `to`. */
export interface Step {
  readonly lane: Pick<Lane, 'mint' | 'account' | 'authority'>;
  readonly from: bigint;
  readonly to: bigint;
  /** Named only by this step. */
  readonly once: PublicKey;
}

/**
 * The three instructions at the front of a movement:
 *
 * | instruction | fails if |
 * | --- | --- |
 * | `MintTo(2^64-1 - from)` | the supply is above `from`: overflow (custom error 14) |
 * | `Burn(2^64-1)` | the supply is below `from`: too few tokens (custom error 1) |
 * | `MintTo(to)` | never |
 *
 * The whole supply is always in the lane's account: only the authority mints, and there is no other account.
 */
export function stepInstructions({ lane, from, to, once }: Step): TransactionInstruction[] {
  const { mint, account, authority } = lane;
  const compare = createMintToInstruction(mint, account, authority, MAX - from, [], LANE_PROGRAM_ID);
  compare.keys.push({ pubkey: once, isSigner: false, isWritable: false });
  return [
    compare,
    createBurnInstruction(account, mint, authority, MAX, [], LANE_PROGRAM_ID),
    createMintToInstruction(mint, account, authority, to, [], LANE_PROGRAM_ID),
  ];
}

type Resolved = Pick<TransactionInstruction, 'programId' | 'data'> & { readonly accounts: readonly PublicKey[] };

export interface SignedStep {
  readonly mint: PublicKey;
  readonly once: PublicKey;
  readonly from: bigint;
  readonly to: bigint;
  /** Throws without the lookup tables' accounts. */
  digest(): Uint8Array;
}

/**
 * Hashes programs, accounts and data, in order; without blockhash, fee and budget, so that versions that differ only in
 * these share a value.
 */
export function digestOf(instructions: readonly TransactionInstruction[]): Uint8Array {
  return digestResolved(instructions.map(plain));
}

function plain({ programId, keys, data }: TransactionInstruction): Resolved {
  return { programId, data, accounts: keys.map(({ pubkey }) => pubkey) };
}

function digestResolved(instructions: readonly Resolved[]): Uint8Array {
  const hash = createHash('sha256');
  for (const { programId, accounts, data } of instructions) {
    const lengths = Buffer.alloc(8);
    lengths.writeUInt32LE(accounts.length, 0);
    lengths.writeUInt32LE(data.length, 4);
    hash.update(programId.toBytes()).update(lengths);
    for (const account of accounts) hash.update(account.toBytes());
    hash.update(data);
  }
  return hash.digest();
}

/**
 * Throws if one names the lane's mint, account or once-address: with the authority's signature it could reset the lane.
 * All accounts must be resolved.
 */
export function assertLeavesLaneAlone({ lane, once }: Step, instructions: readonly TransactionInstruction[]): void {
  const own = [lane.mint, lane.account, once];
  const touched = instructions.flatMap(({ programId, keys }) => [programId, ...keys.map(({ pubkey }) => pubkey)]);
  const named = touched.find((key) => own.some((address) => address.equals(key)));
  if (named) throw new Error(`an instruction names ${named.toBase58()}, which belongs to a lane`);
}

/** Null without one in front. `loaded`: accounts from lookup tables, writable first. */
export function readStep(wire: Uint8Array, loaded: readonly PublicKey[] = []): SignedStep | null {
  const { message } = VersionedTransaction.deserialize(wire);
  const keys = [...message.staticAccountKeys, ...loaded];
  const work = message.compiledInstructions.filter(
    ({ programIdIndex }) => !keys[programIdIndex]?.equals(ComputeBudgetProgram.programId),
  );
  const steps = work.slice(0, STEP_INSTRUCTIONS).map((one) => resolved(one, message.staticAccountKeys));
  return stepOf(steps, () => digestResolved(work.slice(STEP_INSTRUCTIONS).map((one) => resolvedOrThrow(one, keys))));
}

/** Finds the step in instructions that are not compiled yet. */
export function stepIn(instructions: readonly TransactionInstruction[]): SignedStep | null {
  const work = instructions.filter(({ programId }) => !programId.equals(ComputeBudgetProgram.programId));
  return stepOf(work.slice(0, STEP_INSTRUCTIONS).map(plain), () => digestOf(work.slice(STEP_INSTRUCTIONS)));
}

function stepOf(steps: readonly (Resolved | null)[], digest: () => Uint8Array): SignedStep | null {
  const [compare, burn, set] = steps;
  if (!compare || !burn || !set || !isStep(compare, burn, set)) return null;
  const [mint, , , once] = compare.accounts;
  if (!mint || !once) return null;
  return { mint, once, from: MAX - amountOf(compare), to: amountOf(set), digest };
}

/** A step instruction failed: the lane had another value. */
export function failsAtStep(wire: Uint8Array, err: unknown): boolean {
  if (!InstructionFailure.Check(err) || readStep(wire) === null) return false;
  const [index] = err.InstructionError;
  const { message } = VersionedTransaction.deserialize(wire);
  const budget = message.compiledInstructions.findIndex(
    ({ programIdIndex }) => !message.staticAccountKeys[programIdIndex]?.equals(ComputeBudgetProgram.programId),
  );
  return index >= budget && index < budget + STEP_INSTRUCTIONS;
}

function isStep(compare: Resolved, burn: Resolved, set: Resolved): boolean {
  const [mint, account, authority, once] = compare.accounts;
  if (!mint || !account || !authority || !once) return false;
  return (
    isToken(compare, MINT_TO, [mint, account, authority, once]) &&
    isToken(burn, BURN, [account, mint, authority]) &&
    isToken(set, MINT_TO, [mint, account, authority]) &&
    amountOf(burn) === MAX
  );
}

function isToken({ programId, data, accounts }: Resolved, tag: number, expected: readonly PublicKey[]): boolean {
  const isSame = accounts.length === expected.length && accounts.every((key, index) => key.equals(expected[index]!));
  return programId.equals(LANE_PROGRAM_ID) && data.length === 9 && data[0] === tag && isSame;
}

function amountOf({ data }: Resolved): bigint {
  return data.readBigUInt64LE(1);
}

function resolved(instruction: MessageCompiledInstruction, keys: readonly PublicKey[]): Resolved | null {
  const { programIdIndex, accountKeyIndexes, data } = instruction;
  const programId = keys[programIdIndex];
  const accounts = accountKeyIndexes.flatMap((index) => keys[index] ?? []);
  if (!programId || accounts.length < accountKeyIndexes.length) return null;
  return { programId, accounts, data: Buffer.from(data) };
}

function resolvedOrThrow(instruction: MessageCompiledInstruction, keys: readonly PublicKey[]): Resolved {
  const found = resolved(instruction, keys);
  if (found) return found;
  throw new RangeError('the transaction names accounts of lookup tables that were not resolved');
}
