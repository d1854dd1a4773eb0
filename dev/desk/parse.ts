import { PublicKey } from '@solana/web3.js';
import { parseUnits } from '../../domain/amounts.ts';
import { errorText } from '../../domain/error-text.ts';
import { AppError } from '../../domain/errors.ts';

const U64_MAX = (1n << 64n) - 1n;

/** @throws AppError `invalid_request` */
export function parseAddress(field: string, text: string): PublicKey {
  try {
    return new PublicKey(text);
  } catch (cause) {
    throw new AppError('invalid_request', `${field} "${text}" is not a Solana address`, { cause });
  }
}

/** @throws AppError `invalid_request` for a program's address */
export function parseWallet(field: string, text: string): PublicKey {
  const address = parseAddress(field, text);
  if (PublicKey.isOnCurve(address.toBytes())) return address;
  throw new AppError('invalid_request', `${field} ${text} is a program address and cannot sign`);
}

/**
 * Converts whole units to smallest, above zero, 64 bits.
 *
 * @throws AppError `invalid_request`
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
