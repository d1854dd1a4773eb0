import { VersionedMessage, VersionedTransaction } from '@solana/web3.js';
import bs58 from 'bs58';
import type { TransactionSigner } from '../../chain/signers/signer.ts';
import { signTransaction } from '../../chain/transactions/compile.ts';
import { createChainTransactionRepository, isLive } from '../../db/chain-transactions.ts';
import { type ClaimIntent, createClaimRepository } from '../../db/claims.ts';
import { transaction } from '../../db/connect.ts';
import type { ChainTransaction } from '../../db/schema.ts';
import { claimPurpose } from '../../domain/claim-purpose.ts';
import { adoptFromHistory } from '../money/adopt.ts';
import type { ClaimDeps } from './deps.ts';
import { verifyClaim } from './verify.ts';

/** No block height ends a transaction on a durable nonce; the ledger's column wants a number. */
const NEVER = BigInt(Number.MAX_SAFE_INTEGER);

/**
 * Adds the platform's signature to a submitted claim once everything holds, and writes it down before it is sent; or
 * refuses it for good. What another copy of the database knew to be on the chain is found there and not signed again.
 */
export async function signClaim(deps: ClaimDeps, intent: ClaimIntent): Promise<void> {
  if (intent.state !== 'submitted') return;
  const claims = createClaimRepository(deps.db);
  if (await findRelayed(deps, intent)) {
    await claims.transition(intent.intentId, ['submitted'], 'relaying');
    return;
  }
  const verification = await verifyClaim(deps, intent);
  if (verification.ok) return persist(deps, intent, verification.claim.exchangeSigners);
  const { refusal, reason } = verification;
  await claims.transition(intent.intentId, ['submitted'], 'refused', { refusal, reason });
  deps.logger.info({ refusal, reason }, 'claim refused');
}

/** The row of a claim that may have been sent; null where none is known and the chain has none. */
export async function findRelayed(deps: ClaimDeps, intent: ClaimIntent): Promise<ChainTransaction | null> {
  const purpose = claimPurpose(intent.intentId);
  const ledger = createChainTransactionRepository(deps.db);
  const known = (await ledger.attemptsOf(purpose)).find(isLive);
  if (known) return known;
  await adoptFromHistory(deps, intent.nonceAccount, [purpose], deps.platform.publicKey.toBase58());
  return (await ledger.attemptsOf(purpose)).find(isLive) ?? null;
}

/** Signature and state change together, so that a claim in `relaying` always has its bytes. */
async function persist(deps: ClaimDeps, intent: ClaimIntent, exchangeSigners: readonly TransactionSigner[]): Promise<void> {
  const { intentId, nonce, issuedSlot } = intent;
  const signed = await coSign(intent, [deps.platform, ...exchangeSigners]);
  await transaction(deps.db, async (tx) => {
    // The row is the lock: a second run of this step waits here and then has nothing to do.
    if (!(await createClaimRepository(tx).transition(intentId, ['submitted'], 'relaying'))) return;
    const { outcome } = await createChainTransactionRepository(tx).insertSigned([
      {
        ...{ purpose: claimPurpose(intentId), attempt: 1, ...signed, blockhash: nonce },
        ...{ blockhashSlot: issuedSlot, lastValidBlockHeight: NEVER },
      },
    ]);
    if (outcome === 'conflict') throw new Error(`claim ${intentId} was signed by another run`);
  });
}

function coSign({ message, signature }: ClaimIntent, signers: readonly TransactionSigner[]) {
  if (signature === null) throw new Error('a claim without the creator’s signature is never co-signed');
  const transaction = new VersionedTransaction(VersionedMessage.deserialize(message));
  transaction.signatures[0] = bs58.decode(signature);
  return signTransaction(transaction, signers);
}
