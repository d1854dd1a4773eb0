import bs58 from 'bs58';
import Type from 'typebox';
import { MalformedError } from '../errors.ts';
import { AddressSchema } from '../schemas/parameters.ts';

export const WalletParamsSchema = Type.Object({ wallet: AddressSchema }, { additionalProperties: false });

/** @throws MalformedError for base58 of other than 32 bytes */
export function requireWallet(wallet: string): string {
  if (bs58.decodeUnsafe(wallet)?.length === 32) return wallet;
  throw new MalformedError(`path parameter "wallet": ${wallet} is not an address of 32 bytes`);
}
