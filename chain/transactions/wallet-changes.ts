import { ComputeBudgetProgram, PublicKey, SystemProgram, type VersionedMessage } from '@solana/web3.js';
import { computeBudgetOf, priorityFeeOf } from './compute-budget.ts';
import { MEMO_PROGRAM_ID } from './memo.ts';
import type { Refusal } from './signed-by-wallet.ts';

/** Phantom adds its read-only assertions. */
export const LIGHTHOUSE_PROGRAM_ID = new PublicKey('L2TExMFKdjpN9kozasaurPirfHy9P8sbXoAN1qA3S95');

/** A wallet may raise the network fee to this, or keep a higher one. */
export const MOST_NETWORK_FEE_LAMPORTS = 200_000n;

/** Some wallets raise lower prices to this, so the platform issues none below. Micro-lamports per compute unit. */
export const WALLETS_LEAST_PRICE = 100_000n;

/** Compute units for four Lighthouse assertions or a memo. */
export const WALLET_COMPUTE_UNITS = 40_000;

const LAMPORTS_PER_SIGNATURE = 5_000n;

/** Lighthouse instruction 0 writes an account and 1 closes it; those from here on only assert. */
const FIRST_ASSERTION = 2;

const MOST_MEMO_BYTES = 128;

/** Memos of the platform: purposes (`launch/…`) and pool states. Adoption from the chain relies on them. */
const PLATFORM_MEMO = /^[a-z0-9-]+\//;

interface Account {
  readonly address: string;
  readonly isSigner: boolean;
  readonly isWritable: boolean;
}

interface Instruction {
  readonly program: string;
  readonly accounts: readonly Account[];
  readonly data: Buffer;
}

/** The fee payer is first. */
interface Reading {
  readonly accounts: readonly Account[];
  readonly instructions: readonly Instruction[];
}

/**
 * The issued message plus additions that cost only the signer: read-only Lighthouse assertions, a memo that names at
 * most the fee payer, a higher compute limit or price. `client/solana/wallet-changes.ts` has the same rule; both share
 * a table of test cases. Throws what `refuse` creates.
 */
export function assertSignedAsIssued(issued: VersionedMessage, signed: VersionedMessage, refuse: Refusal): void {
  if (Buffer.from(issued.serialize()).equals(signed.serialize())) return;
  assertSameFrame(issued, signed, refuse);
  const [before, after] = [readingOf(issued, refuse), readingOf(signed, refuse)];
  assertSameSigners(before, after, refuse);
  assertInstructions(before, after, refuse);
  assertNothingMadeWritable(before, after, refuse);
  assertNothingUnused(signed, after, refuse);
  const [fee, issuedFee] = [networkFeeOfMessage(signed), networkFeeOfMessage(issued)];
  const most = issuedFee > MOST_NETWORK_FEE_LAMPORTS ? issuedFee : MOST_NETWORK_FEE_LAMPORTS;
  if (fee > most) throw refuse(`pays ${fee} lamports of network fee, at most ${most} are taken`);
}

/** Returns 5,000 lamports a signature plus the priority fee, rounded up. */
export function networkFeeOfMessage(message: VersionedMessage): bigint {
  const signatures = BigInt(message.header.numRequiredSignatures) * LAMPORTS_PER_SIGNATURE;
  return signatures + priorityFeeOf(computeBudgetOf(message));
}

function assertSameFrame(issued: VersionedMessage, signed: VersionedMessage, refuse: Refusal): void {
  if (signed.version !== issued.version) throw refuse(`is of version ${signed.version}, issued was ${issued.version}`);
  if (signed.addressTableLookups.length > 0) throw refuse('uses an address lookup table');
  const payer = signed.staticAccountKeys[0];
  if (!payer?.equals(issued.staticAccountKeys[0]!)) throw refuse(`has the fee payer ${payer?.toBase58()}`);
  if (signed.recentBlockhash !== issued.recentBlockhash) throw refuse(`has blockhash ${signed.recentBlockhash}`);
}

/** Ignores the order after the fee payer: compilers choose it. */
function assertSameSigners(issued: Reading, signed: Reading, refuse: Refusal): void {
  const named = ({ accounts }: Reading) =>
    accounts
      .filter(({ isSigner }) => isSigner)
      .map(({ address }) => address)
      .sort()
      .join();
  if (named(issued) !== named(signed)) throw refuse('has other signers than issued');
}

function assertNothingMadeWritable(issued: Reading, signed: Reading, refuse: Refusal): void {
  const writable = issued.accounts.filter(({ isWritable }) => isWritable).map(({ address }) => address);
  const added = signed.accounts.find(({ address, isWritable }) => isWritable && !writable.includes(address));
  if (added) throw refuse(`makes ${added.address} writable`);
}

/**
 * Every account is used, once, and the header counts it: the order of accounts is the only part that instructions do not
 * fix, and a message with other counts could never land.
 */
function assertNothingUnused({ header }: VersionedMessage, { accounts, instructions }: Reading, refuse: Refusal): void {
  const used = new Set(
    instructions.flatMap(({ program, accounts: named }) => [program, ...named.map(({ address }) => address)]),
  );
  const unused = accounts.slice(1).find(({ address }) => !used.has(address));
  if (unused) throw refuse(`names ${unused.address}, which no instruction uses`);
  if (new Set(accounts.map(({ address }) => address)).size < accounts.length) throw refuse('names an account twice');
  const readOnly = accounts.filter(({ isWritable }) => !isWritable);
  const [signing, others] = [readOnly.filter(({ isSigner }) => isSigner), readOnly.filter(({ isSigner }) => !isSigner)];
  const isCounted =
    header.numReadonlySignedAccounts === signing.length && header.numReadonlyUnsignedAccounts === others.length;
  if (!isCounted) throw refuse('has a header that counts other accounts than it names');
}

function assertInstructions(issued: Reading, signed: Reading, refuse: Refusal): void {
  const [payer, ...others] = issued.accounts;
  const parties = { payer, coSigners: others.filter(({ isSigner }) => isSigner) };
  const own = signed.instructions.filter((instruction) => !isAddition(instruction, parties, refuse));
  assertInOrder(issued.instructions, own, refuse);
  if (isNonceAdvance(issued.instructions[0]) && signed.instructions[0] !== own[0]) {
    throw refuse('has an instruction in front of the advance of the nonce, which must come first');
  }
}

function assertInOrder(wanted: readonly Instruction[], actual: readonly Instruction[], refuse: Refusal): void {
  if (actual.length < wanted.length) throw refuse(`has ${actual.length} instructions, issued were ${wanted.length}`);
  const at = actual.findIndex((instruction, index) => !isAsIssued(wanted[index], instruction));
  if (at < 0) return;
  const added = `an added instruction of program ${actual[at]?.program}`;
  if (at >= wanted.length) throw refuse(`has ${added}`);
  const isLonger = actual.length > wanted.length;
  throw refuse(`has another instruction ${at + 1} than issued${isLonger ? `, ${added}` : ''}`);
}

interface Parties {
  readonly payer: Account | undefined;
  readonly coSigners: readonly Account[];
}

/** Throws if a Lighthouse instruction does more than assert. */
function isAddition({ program, accounts, data }: Instruction, { payer, coSigners }: Parties, refuse: Refusal): boolean {
  if (program === MEMO_PROGRAM_ID.toBase58())
    return accounts.every(({ address }) => address === payer?.address) && isOwnMemo(data);
  if (program !== LIGHTHOUSE_PROGRAM_ID.toBase58()) return false;
  if ((data[0] ?? 0) < FIRST_ASSERTION) {
    throw refuse(`has an added instruction of program ${program} that writes; only its assertions are taken`);
  }
  const lent = accounts.find(({ address }) => coSigners.some((signer) => signer.address === address));
  if (lent) throw refuse(`has an added instruction of program ${program} that names ${lent.address}, which signs too`);
  return true;
}

/** True if the memo is short, and unlike a platform memo. */
function isOwnMemo(data: Buffer): boolean {
  const text = data.toString('utf8');
  return data.length <= MOST_MEMO_BYTES && Buffer.from(text).equals(data) && !PLATFORM_MEMO.test(text);
}

function isAsIssued(issued: Instruction | undefined, signed: Instruction): boolean {
  if (issued?.program !== signed.program) return false;
  if (issued.program === ComputeBudgetProgram.programId.toBase58()) return isSameOrHigher(issued, signed);
  const textOf = ({ accounts }: Instruction) =>
    accounts.map(({ address, isSigner, isWritable }) => `${address}/${isSigner}/${isWritable}`).join();
  return issued.data.equals(signed.data) && textOf(issued) === textOf(signed);
}

/** Limit (u32) or price (u64). */
function isSameOrHigher(issued: Instruction, signed: Instruction): boolean {
  const isSameKind = issued.data[0] === signed.data[0] && issued.data.length === signed.data.length;
  return isSameKind && signed.accounts.length === 0 && valueOf(signed.data) >= valueOf(issued.data);
}

/** Reads the little-endian value after the first byte. */
function valueOf(data: Buffer): bigint {
  return data.subarray(1).reduceRight((value, byte) => value * 256n + BigInt(byte), 0n);
}

/** True for `SystemInstruction::AdvanceNonceAccount`. */
function isNonceAdvance(instruction: Instruction | undefined): boolean {
  return instruction?.program === SystemProgram.programId.toBase58() && instruction.data.readUInt32LE(0) === 4;
}

/** Throws for an instruction that names an account which the message lacks: no validator takes such a message. */
function readingOf(message: VersionedMessage, refuse: Refusal): Reading {
  const accounts = message.staticAccountKeys.map((key, index) => ({
    address: key.toBase58(),
    isSigner: message.isAccountSigner(index),
    isWritable: message.isAccountWritable(index),
  }));
  const accountAt = (index: number) => {
    const account = accounts[index];
    if (account === undefined) throw refuse(`names account ${index} of ${accounts.length}`);
    return account;
  };
  const instructions = message.compiledInstructions.map(({ programIdIndex, accountKeyIndexes, data }) => ({
    program: accountAt(programIdIndex).address,
    accounts: accountKeyIndexes.map(accountAt),
    data: Buffer.from(data),
  }));
  return { accounts, instructions };
}
