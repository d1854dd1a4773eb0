import { PublicKey, SystemProgram } from '@solana/web3.js';
import type { Rpc } from '../../chain/rpc/rpc.ts';
import type { Db } from '../../db/connect.ts';
import * as walletManifest from '../../db/platform/wallet-manifest.ts';
import { AppError } from '../../domain/errors.ts';
import { parseKey } from './parse-key.ts';

const SYSTEM_PROGRAM = SystemProgram.programId.toBase58();

/**
 * An address without an account is a fresh wallet.
 *
 * @throws AppError `invalid_request` for an address that cannot sign a claim; `service_unavailable` without a quorum
 */
export async function assertCanClaim(db: Db, rpc: Pick<Rpc, 'agreedAccounts'>, address: string): Promise<void> {
  if (!PublicKey.isOnCurve(parseKey('feeRecipient', address).toBytes())) {
    throw refused(address, 'is off the curve: it belongs to a program, and no key could sign a claim');
  }
  if (await walletManifest.isListed(db, address)) {
    throw refused(address, 'belongs to the platform, which claims for no creator');
  }
  const account = (await rpc.agreedAccounts([address])).get(address);
  if (account === undefined) {
    throw new AppError('service_unavailable', `the RPC endpoints do not agree on feeRecipient ${address}; try again`);
  }
  if (account === null || account.owner === SYSTEM_PROGRAM) return;
  throw refused(address, `is an account of program ${account.owner}, not a wallet that can sign a claim`);
}

function refused(address: string, why: string): AppError {
  return new AppError('invalid_request', `feeRecipient ${address} ${why}`);
}
