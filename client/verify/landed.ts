import { ed25519 } from '@noble/curves/ed25519.js';
import { addressBytes, toBase58 } from '../solana/bytes.ts';
import { type Instruction, type LoadedAddresses, readLandedTransaction } from '../solana/message.ts';
import { Difference, NotProvable } from './check.ts';

export interface TokenChange {
  readonly account: string;
  readonly owner: string;
  readonly mint: string;
  readonly before: bigint | null;
  readonly after: bigint | null;
}

/** A transaction's signed bytes, and what the RPC endpoint says that they did. */
export interface Landed {
  readonly signature: string;
  readonly slot: number;
  readonly hasFailed: boolean;
  /** The fee payer first. */
  readonly signers: readonly string[];
  readonly instructions: readonly Instruction[];
  /** Accounts from lookup tables, which no signature covers. */
  readonly loaded: readonly string[];
  readonly tokens: readonly TokenChange[];
  /** Change of each account; negative: lost. Null: it holds too many for a JSON number. */
  readonly lamports: ReadonlyMap<string, bigint | null>;
}

export interface LandedFacts {
  readonly slot: number;
  readonly hasFailed: boolean;
  readonly wire: Uint8Array;
  readonly loaded: LoadedAddresses;
  readonly tokensBefore: readonly TokenBalance[];
  readonly tokensAfter: readonly TokenBalance[];
  /** Of each account; null: too many for a JSON number. */
  readonly lamportsBefore: readonly (bigint | null)[];
  readonly lamportsAfter: readonly (bigint | null)[];
}

export interface TokenBalance {
  readonly accountIndex: number;
  readonly mint: string;
  readonly owner: string;
  readonly raw: bigint;
}

/**
 * Verifies all signatures.
 *
 * @throws Difference where one is not of the bytes, or not the one asked for
 */
export function readLanded(signature: string, facts: LandedFacts, endpoint: string): Landed {
  const { signatures, message } = readLandedTransaction(facts.wire, facts.loaded);
  const addresses = message.accounts.map(({ address }) => address);
  const signers = message.accounts.filter(({ isSigner }) => isSigner).map(({ address }) => address);
  const first = { value: toBase58(signatures[0] ?? new Uint8Array()), from: `the bytes that ${endpoint} gave` };
  if (first.value !== signature || signatures.length !== signers.length)
    throw new Difference(`another transaction than ${signature}`, { value: signature, from: 'the request' }, first);
  for (const [index, signer] of signers.entries())
    mustBeSigned(signatures[index] ?? new Uint8Array(64), message.bytes, signer, endpoint);
  return {
    signature,
    slot: facts.slot,
    hasFailed: facts.hasFailed,
    signers,
    instructions: message.instructions,
    loaded: message.loaded,
    tokens: changesOf(addresses, facts),
    lamports: new Map(addresses.map((address, index) => [address, lamportsOf(facts, index)])),
  };
}

function mustBeSigned(signature: Uint8Array, message: Uint8Array, signer: string, endpoint: string): void {
  if (ed25519.verify(signature, message, addressBytes(signer))) return;
  const found = { value: toBase58(signature), from: `the bytes that ${endpoint} gave` };
  throw new Difference('a signature is not of the bytes', { value: `one of ${signer}`, from: 'the message' }, found);
}

function lamportsOf({ lamportsBefore, lamportsAfter }: LandedFacts, index: number): bigint | null {
  const [before = 0n, after = 0n] = [lamportsBefore[index], lamportsAfter[index]];
  return before === null || after === null ? null : after - before;
}

/** @throws NotProvable where an account holds too many lamports for a JSON number */
export function exactLamports({ lamports, signature }: Landed): ReadonlyMap<string, bigint> {
  return new Map(
    [...lamports].map(([address, change]) => {
      if (change !== null) return [address, change];
      throw new NotProvable(`${address} holds more than 2^53 lamports in ${signature}: JSON numbers do not tell them`);
    }),
  );
}

function changesOf(addresses: readonly string[], { tokensBefore, tokensAfter }: LandedFacts): TokenChange[] {
  const indexes = new Set([...tokensBefore, ...tokensAfter].map(({ accountIndex }) => accountIndex));
  return [...indexes].flatMap((index) => {
    const [before, after] = [tokensBefore, tokensAfter].map((all) => all.find((one) => one.accountIndex === index));
    const known = after ?? before;
    const account = addresses[index];
    if (!known || account === undefined) return [];
    return [{ account, owner: known.owner, mint: known.mint, before: before?.raw ?? null, after: after?.raw ?? null }];
  });
}

export function gainOf({ tokens }: Pick<Landed, 'tokens'>, owner: string, mint: string): bigint {
  return tokens
    .filter((change) => change.owner === owner && change.mint === mint)
    .reduce((sum, { before, after }) => sum + (after ?? 0n) - (before ?? 0n), 0n);
}
