import { PublicKey } from '@solana/web3.js';
import { AppError } from '../../domain/errors.ts';

/** @throws AppError `invalid_request` that names the field */
export function parseKey(field: string, address: string): PublicKey {
  try {
    return new PublicKey(address);
  } catch (cause) {
    throw new AppError('invalid_request', `${field} "${address}" is not a Solana address`, { cause });
  }
}
