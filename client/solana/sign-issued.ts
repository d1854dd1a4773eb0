import { ed25519 } from '@noble/curves/ed25519.js';
import type { Signer } from '../signers/signer.ts';
import { addressBytes, toBase58, toBase64 } from './bytes.ts';
import { type Message, readTransaction, writeTransaction } from './message.ts';
import { mustHold, RefusedError } from './refusal.ts';

/** A transaction that its wallet signed; the platform signs last. */
export interface SignedTransaction {
  /** The wallet's signature, base58: the id of the transaction. */
  readonly signature: string;
  /** base64 */
  readonly wire: string;
}

/** Says whether what a wallet signed may stand for what was issued. Throws a RefusedError where it may not. */
export type MessageCheck = (issued: Message, signed: Message) => void;

/**
 * Has a checked message signed by its fee payer, and checks what comes back: the message that was given, with a signature of this
 * wallet over it.
 */
export async function signIssued(signer: Signer, issued: Message, check: MessageCheck): Promise<SignedTransaction> {
  const places: readonly Uint8Array[] = issued.accounts
    .filter(({ isSigner }) => isSigner)
    .map(() => new Uint8Array(64));
  const { signatures, message } = readSigned(await signer.sign(writeTransaction(places, issued.bytes)));
  check(issued, message);
  const [signature] = signatures;
  mustHold(signature !== undefined && isBy(signer, signature, message), `it carries no signature by ${signer.address}`);
  return { signature: toBase58(signature), wire: toBase64(writeTransaction(places.with(0, signature), message.bytes)) };
}

function readSigned(wire: Uint8Array) {
  try {
    return readTransaction(wire);
  } catch (cause) {
    throw new RefusedError('the wallet answered what is no transaction', cause);
  }
}

function isBy({ address }: Signer, signature: Uint8Array, { bytes }: Message): boolean {
  return ed25519.verify(signature, bytes, addressBytes(address));
}
