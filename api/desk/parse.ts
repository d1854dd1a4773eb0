import { PublicKey } from '@solana/web3.js';
import { parseUnits } from '../../domain/amounts.ts';
import { errorText } from '../../domain/error-text.ts';
import { AppError } from '../../domain/errors.ts';

const U64_MAX = (1n << 64n) - 1n;

/** An address out of a body field. Throws an AppError `invalid_request` that names field and value. */
export function parseAddress(field: string, text: string): PublicKey {
  try {
    return new PublicKey(text);
  } catch (cause) {
    throw new AppError('invalid_request', `${field} "${text}" is not a Solana address`, { cause });
  }
}

/** An address that can sign. Throws an AppError `invalid_request` for that of a program. */
export function parseWallet(field: string, text: string): PublicKey {
  const address = parseAddress(field, text);
  if (PublicKey.isOnCurve(address.toBytes())) return address;
  throw new AppError('invalid_request', `${field} ${text} is a program address and cannot sign`);
}

/**
 * An amount in whole units as its smallest units, more than nothing and within 64 bits. Throws an AppError
 * `invalid_request` that names field and value.
 */
export function parseAmount(field: string, text: string, decimals: number): bigint {
  const raw = unitsOf(field, text, decimals);
  if (raw > 0n && raw <= U64_MAX) return raw;
  throw new AppError('invalid_request', `${field} "${text}" must be more than 0 and at most ${U64_MAX} smallest units`);
}

function unitsOf(field: string, text: string, decimals: number): bigint {
  try {
    return parseUnits(text, decimals);
  } catch (cause) {
    throw new AppError('invalid_request', `${field} ${errorText(cause)}`, {
      cause,
    });
  }
}
