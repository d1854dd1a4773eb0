import { PublicKey } from '@solana/web3.js';
import { AppError } from '../../domain/errors.ts';

/** @throws AppError `invalid_request` for an address that cannot sign; `field`: the caller's, as creatorWallet */
export function signingWallet(address: string, field: string): PublicKey {
  const bytes = addressBytes(address, field);
  if (PublicKey.isOnCurve(bytes)) return new PublicKey(bytes);
  throw new AppError('invalid_request', `${field} ${address} is a program address and cannot sign a claim`);
}

function addressBytes(address: string, field: string): Uint8Array {
  try {
    return new PublicKey(address).toBytes();
  } catch (cause) {
    throw new AppError('invalid_request', `${field} ${address} is not an address of 32 bytes`, { cause });
  }
}
