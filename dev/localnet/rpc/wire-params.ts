import { Type } from 'typebox';
import { errorText } from '../../../domain/error-text.ts';
import { fromBase58 } from '../encoding/base58.ts';
import {
  decodeTransaction,
  MalformedTransactionError,
  PACKET_BYTES,
  type WireTransaction,
} from '../ledger/wire-transaction.ts';
import { invalidParams } from './rpc-error.ts';

export const WireEncodingSchema = Type.Union([Type.Literal('base58'), Type.Literal('base64')]);

export type WireEncoding = 'base58' | 'base64';

const MAX_TEXT: Readonly<Record<WireEncoding, number>> = { base58: 1683, base64: 1644 };
const TYPE_NAME = 'solana_transaction::versioned::VersionedTransaction';

function bytesOf(text: string, encoding: WireEncoding): Uint8Array {
  if (encoding === 'base58') {
    try {
      return fromBase58(text);
    } catch (error) {
      throw invalidParams(`invalid base58 encoding: ${errorText(error)}`);
    }
  }
  // Buffer.from ignores invalid base64; a node refuses it.
  if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(text)) throw invalidParams('invalid base64 encoding');
  return Buffer.from(text, 'base64');
}

/**
 * Decodes like Agave.
 *
 * @throws RpcError -32602
 */
export function decodeWire(text: string, encoding: WireEncoding): WireTransaction {
  const limit = MAX_TEXT[encoding];
  const sizes = `(max: encoded/raw ${limit}/${PACKET_BYTES})`;
  if (text.length > limit)
    throw invalidParams(`${encoding} encoded ${TYPE_NAME} too large: ${text.length} bytes ${sizes}`);
  const wire = bytesOf(text, encoding);
  if (wire.length > PACKET_BYTES)
    throw invalidParams(`decoded ${TYPE_NAME} too large: ${wire.length} bytes (max: ${PACKET_BYTES} bytes)`);
  try {
    return decodeTransaction(wire);
  } catch (error) {
    if (error instanceof MalformedTransactionError) {
      throw invalidParams(
        `invalid transaction: Transaction failed to sanitize accounts offsets correctly (${error.message})`,
      );
    }
    if (error instanceof RangeError) throw invalidParams(`failed to deserialize ${TYPE_NAME}: ${error.message}`);
    throw error;
  }
}
