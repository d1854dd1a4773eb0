import type { Connection, PublicKey } from '@solana/web3.js';
import type { LaunchTerms } from '../../domain/launch/terms.ts';
import type { LaunchKeys } from '../keys/launch-keys.ts';
import type { Stamp } from '../lanes/stamp.ts';
import { STEP_COMPUTE_UNITS } from '../lanes/step.ts';
import type { TransactionSigner } from '../signers/signer.ts';
import { compileTransaction, type SignedTransaction } from '../transactions/compile.ts';
import { signMovement } from '../transactions/purposed.ts';
import { CLOSE_QUOTE_ACCOUNT_COMPUTE_UNITS, closeQuoteAccount } from './close-quote-account.ts';
import { CLOSE_WALLET_COMPUTE_UNITS, closeWallet } from './close-wallet.ts';
import { CLOSE_ESCROW_COMPUTE_UNITS, closeEscrow } from './close-escrow.ts';
import { baseTokenOf, quoteTokenOf } from './pool-request.ts';

export interface EmptyingRequest {
  readonly terms: LaunchTerms;
  readonly keys: LaunchKeys;
  /** Pays the fee, gets the rest. */
  readonly platform: TransactionSigner;
  /** For strangers' quote tokens. */
  readonly treasury: PublicKey;
  readonly stamp: Stamp;
  readonly computeUnitPrice: bigint;
}

/**
 * Sends to the platform wallet: all lamports, late transfers by strangers included, the rent of the dev buy's quote
 * account and, after an airdrop, of its source account. Null if empty.
 */
export async function buildEmptying(
  connection: Connection,
  request: EmptyingRequest,
): Promise<SignedTransaction | null> {
  const { keys, platform, terms } = request;
  const wallet = keys.wallet.publicKey;
  const lamports = await connection.getBalance(wallet, 'confirmed');
  const closing = { quote: quoteTokenOf(terms), wallet, tokensTo: request.treasury, rentTo: platform.publicKey };
  const closings = [
    ...(await closeQuoteAccount(connection, closing)),
    ...(terms.airdrop ? await closeEscrow(connection, baseTokenOf(terms), wallet, platform.publicKey) : []),
  ];
  if (lamports === 0 && closings.length === 0) return null;
  const transaction = compileTransaction({
    payer: platform.publicKey,
    blockhash: request.stamp.blockhash,
    computeUnits:
      CLOSE_WALLET_COMPUTE_UNITS +
      STEP_COMPUTE_UNITS +
      (closings.length > 0 ? CLOSE_QUOTE_ACCOUNT_COMPUTE_UNITS + CLOSE_ESCROW_COMPUTE_UNITS : 0),
    computeUnitPrice: request.computeUnitPrice,
    instructions: request.stamp.mark([...closings, ...(await closeWallet(connection, wallet, platform.publicKey))]),
  });
  return signMovement(request.stamp, transaction, [platform, keys.wallet]);
}
