import { createHash } from 'node:crypto';
import { SystemProgram, VersionedTransaction } from '@solana/web3.js';
import bs58 from 'bs58';

const MAX_TRANSACTIONS = 5;
const MAX_TRANSACTION_BYTES = 1_232;
const MIN_TIP_LAMPORTS = 1_000n;

export interface Bundle {
  /** SHA-256 over the comma-joined first signatures, hex. */
  readonly id: string;
  readonly wires: readonly Uint8Array[];
  /** First of each transaction, base58. */
  readonly signatures: readonly string[];
  readonly tipLamports: bigint;
  /** Of the last transaction. */
  readonly blockhash: string;
}

/** The searcher gets INVALID_ARGUMENT with this message. */
export class InvalidBundleError extends Error {
  override readonly name = 'InvalidBundleError';
}

/**
 * Rules that need no chain: 1 to 5 transactions, none twice, signed, within a packet, and a tip of at least 1,000
 * lamports by a top-level system transfer to a tip account that no lookup table hides.
 *
 * @throws InvalidBundleError
 */
export function readBundle(wires: readonly Uint8Array[], tipAccounts: ReadonlySet<string>): Bundle {
  if (wires.length === 0) throw new InvalidBundleError('bundle is empty');
  if (wires.length > MAX_TRANSACTIONS) {
    throw new InvalidBundleError(`bundle has ${wires.length} transactions, at most ${MAX_TRANSACTIONS} are allowed`);
  }
  const transactions = wires.map(readTransaction);
  const signatures = transactions.map(({ signatures: [first] }) => bs58.encode(first ?? new Uint8Array(64)));
  if (new Set(signatures).size < signatures.length) {
    throw new InvalidBundleError('bundle must not contain any duplicate transactions');
  }
  const tipLamports = tippedBy(transactions, tipAccounts);
  const id = createHash('sha256').update(signatures.join(',')).digest('hex');
  return { id, wires, signatures, tipLamports, blockhash: transactions.at(-1)?.message.recentBlockhash ?? '' };
}

function readTransaction(wire: Uint8Array, index: number): VersionedTransaction {
  if (wire.length > MAX_TRANSACTION_BYTES) {
    throw new InvalidBundleError(`transaction ${index} has ${wire.length} bytes, at most ${MAX_TRANSACTION_BYTES}`);
  }
  try {
    return VersionedTransaction.deserialize(wire);
  } catch (cause) {
    throw new InvalidBundleError(`transaction ${index} could not be deserialized`, { cause });
  }
}

/** Lamports. */
function tippedBy(transactions: readonly VersionedTransaction[], tipAccounts: ReadonlySet<string>): bigint {
  const isLocked = transactions.some(({ message }) =>
    message.staticAccountKeys.some((key, index) => message.isAccountWritable(index) && tipAccounts.has(key.toBase58())),
  );
  if (!isLocked) {
    throw new InvalidBundleError('bundle must write lock at least one tip account, outside of any lookup table');
  }
  const tip = transactions.reduce((sum, transaction) => sum + tipOf(transaction, tipAccounts), 0n);
  if (tip < MIN_TIP_LAMPORTS) {
    throw new InvalidBundleError(`bundle tips ${tip} lamports, at least ${MIN_TIP_LAMPORTS} are required`);
  }
  return tip;
}

function tipOf({ message }: VersionedTransaction, tipAccounts: ReadonlySet<string>): bigint {
  let tip = 0n;
  for (const { programIdIndex, accountKeyIndexes, data } of message.compiledInstructions) {
    const recipient = message.staticAccountKeys[accountKeyIndexes[1] ?? -1]?.toBase58();
    const isSystem = message.staticAccountKeys[programIdIndex]?.equals(SystemProgram.programId) ?? false;
    if (isSystem && recipient !== undefined && tipAccounts.has(recipient)) tip += transferLamports(data);
  }
  return tip;
}

/** 0 for another instruction. Instruction 2 as u32, amount as u64. */
function transferLamports(data: Uint8Array): bigint {
  const bytes = Buffer.from(data);
  return bytes.length === 12 && bytes.readUInt32LE(0) === 2 ? bytes.readBigUInt64LE(4) : 0n;
}
