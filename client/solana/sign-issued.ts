import { ed25519 } from '@noble/curves/ed25519.js';
import type { Signer } from '../signers/signer.ts';
import { addressBytes, toBase58, toBase64 } from './bytes.ts';
import { type Message, readTransaction, writeTransaction } from './message.ts';
import { mustHold, RefusedError } from './refusal.ts';
import { mustBeAsIssued } from './wallet-changes.ts';

/** The platform signs last. */
export interface SignedTransaction {
  /** The wallet's, base58: the transaction's id. */
  readonly signature: string;
  /** base64 */
  readonly wire: string;
}

/**
 * Has the fee payer sign and checks the result: the given message, or an allowed wallet change of it, with this
 * wallet's signature.
 */
export async function signIssued(
  signer: Signer,
  issued: Message,
  maxNetworkFeeLamports?: bigint,
): Promise<SignedTransaction> {
  return checkSigned(signer, issued, await signer.sign(unsigned(issued)), maxNetworkFeeLamports);
}

/**
 * Has the fee payer sign several messages, by one request of the wallet where it can. Returns a function for each,
 * which returns what was signed or throws why not: a wallet that refuses or alters one does not cost the others.
 *
 * @throws RefusedError if the wallet returns more; the wallet's error if it signs none
 */
export async function signAllIssued(
  signer: Signer,
  issued: readonly Message[],
  maxNetworkFeeLamports?: bigint,
): Promise<readonly (() => SignedTransaction)[]> {
  const together = (await signer.signAll?.(issued.map(unsigned))) ?? [];
  const count = issued.length;
  mustHold(together.length <= count, `the wallet answered ${together.length} of ${count} transactions`);
  const check = (message: Message, wire: Uint8Array) => checkSigned(signer, message, wire, maxNetworkFeeLamports);
  const wires =
    together.length === count ? together.map(asSigned) : await signOneByOne(signer, issued, together, check);
  return issued.map((message, place) => () => {
    const wire = wires[place];
    mustHold(wire !== undefined, 'the wallet answered no transaction');
    if (wire.status === 'rejected') throw wire.reason;
    return check(message, wire.value);
  });
}

type Wire = PromiseSettledResult<Uint8Array>;

function asSigned(value: Uint8Array): Wire {
  return { status: 'fulfilled', value };
}

/**
 * Asks for each that the wallet did not sign by the request for all: some wallets sign only the first of several.
 *
 * @throws the first error if none was signed
 */
async function signOneByOne(
  signer: Signer,
  issued: readonly Message[],
  together: readonly Uint8Array[],
  check: (message: Message, wire: Uint8Array) => void,
): Promise<readonly Wire[]> {
  const wires: Wire[] = [];
  for (const [place, message] of issued.entries()) {
    const given = together[place];
    const isGiven = given !== undefined && fits(() => check(message, given));
    wires.push(...(isGiven ? [asSigned(given)] : await Promise.allSettled([signer.sign(unsigned(message))])));
  }
  const [first] = wires;
  if (first?.status === 'rejected' && wires.every(({ status }) => status === 'rejected')) throw first.reason;
  return wires;
}

function fits(check: () => void): boolean {
  try {
    check();
    return true;
  } catch (error) {
    if (error instanceof RefusedError) return false;
    throw error;
  }
}

function unsigned(issued: Message): Uint8Array {
  return writeTransaction(placesOf(issued), issued.bytes);
}

function placesOf({ accounts }: Message): readonly Uint8Array[] {
  return accounts.filter(({ isSigner }) => isSigner).map(() => new Uint8Array(64));
}

function checkSigned(
  signer: Signer,
  issued: Message,
  wire: Uint8Array,
  maxNetworkFeeLamports: bigint | undefined,
): SignedTransaction {
  const { signatures, message } = readSigned(wire);
  mustBeAsIssued(issued, message, maxNetworkFeeLamports);
  const [signature] = signatures;
  mustHold(signature !== undefined && isBy(signer, signature, message), `it carries no signature by ${signer.address}`);
  const signed = placesOf(issued).with(0, signature);
  return { signature: toBase58(signature), wire: toBase64(writeTransaction(signed, message.bytes)) };
}

function readSigned(wire: Uint8Array) {
  try {
    return readTransaction(wire);
  } catch (cause) {
    const reason = cause instanceof RangeError ? `: ${cause.message}` : '';
    throw new RefusedError(`the wallet answered what is no transaction as issued${reason}`, cause);
  }
}

function isBy({ address }: Signer, signature: Uint8Array, { bytes }: Message): boolean {
  return ed25519.verify(signature, bytes, addressBytes(address));
}
