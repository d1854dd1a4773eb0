import { PublicKey, VersionedMessage, VersionedTransaction } from '@solana/web3.js';
import bs58 from 'bs58';
import { readNonce } from '../../chain/claim/nonce-account.ts';
import type { TransactionSigner } from '../../chain/signers/signer.ts';
import { signTransaction } from '../../chain/transactions/compile.ts';
import * as chainTransactions from '../../db/money/chain-transactions.ts';
import { isLive } from '../../db/money/chain-transactions.ts';
import * as claimNonces from '../../db/claim/claim-nonces.ts';
import * as claims from '../../db/claim/claims.ts';
import type { ClaimIntent } from '../../db/claim/claims.ts';
import { transaction } from '../../db/connect.ts';
import { insertSigned } from '../../db/money/chain-transaction-insert.ts';
import type { ChainTransaction } from '../../db/schema/money.ts';
import { claimPurpose } from '../../domain/claim/purpose.ts';
import { adoptFromHistory, adoptSigned } from '../money/adopt.ts';
import { hasLanded } from '../money/book-statuses.ts';
import type { ClaimDeps } from './deps.ts';
import { type Refused, verifyClaim } from './verify-before-signing.ts';

/** No block height ends a transaction on a durable nonce; the ledger's column wants a number. */
const NEVER = BigInt(Number.MAX_SAFE_INTEGER);

/**
 * Adds the platform's signature to a submitted claim once everything holds, and writes it down before it is sent; or
 * refuses it for good. What another copy of the database knew to be on the chain is found there and not signed again.
 */
export async function signClaim(deps: ClaimDeps, intent: ClaimIntent): Promise<void> {
  if (intent.state !== 'submitted') return;
  const known = await liveRowOf(deps, intent);
  if (known) return goOnWith(deps, intent, known);
  const nonce = await readNonce(deps.rpc, new PublicKey(intent.nonceAccount));
  // An endpoint that is behind what the claim was issued on has an older nonce, or none yet, which says nothing of this one.
  if (!nonce || nonce.slot < Number(intent.issuedSlot))
    throw new Error(
      `nonce ${intent.nonceAccount} was not seen at slot ${intent.issuedSlot}, which the claim was issued on`,
    );
  if (nonce.nonce !== intent.nonce) return overtaken(deps, intent);
  if (nonce.authority !== deps.platform.publicKey.toBase58()) return disown(deps, intent, nonce.authority);
  const verification = await verifyClaim(deps, intent);
  if (verification.ok) return persist(deps, intent, verification.claim.exchangeSigners);
  return refuse(deps, intent, verification);
}

/**
 * The nonce is spent: by this very claim, where the database was set back to before it was signed, else by another one.
 * Only then is the history searched, from when the claim was issued: anybody can make it long for a small fee each.
 */
async function overtaken(deps: ClaimDeps, intent: ClaimIntent): Promise<void> {
  const landed = await adoptLanded(deps, intent);
  if (landed) return goOnWith(deps, intent, landed);
  return refuse(deps, intent, { refusal: 'conflict', reason: 'another claim of this token took its place' });
}

/** The platform wallet is another one than the nonce was made with: the next prepare has a nonce of the present one made. */
async function disown(deps: ClaimDeps, intent: ClaimIntent, authority: string): Promise<void> {
  await claimNonces.forget(deps.db, intent.nonceAccount);
  return refuse(deps, intent, { refusal: 'conflict', reason: `the platform no longer signs as ${authority}` });
}

/**
 * Books what the chain has of a claim and answers its row: under the id that it was submitted with, by one read, else under
 * another signature of its wallet.
 */
export async function adoptLanded(deps: ClaimDeps, intent: ClaimIntent): Promise<ChainTransaction | null> {
  const { intentId, nonceAccount, issuedSlot, signature } = intent;
  const platform = deps.platform.publicKey.toBase58();
  if (signature !== null) await adoptSigned(deps, { purpose: claimPurpose(intentId), signature, signer: platform });
  const known = await liveRowOf(deps, intent);
  if (known && hasLanded(known)) return known;
  await adoptFromHistory(deps, nonceAccount, [claimPurpose(intentId)], platform, Number(issuedSlot));
  return liveRowOf(deps, intent);
}

/** The row of a claim that may still land or has. */
async function liveRowOf({ db }: ClaimDeps, { intentId }: ClaimIntent): Promise<ChainTransaction | null> {
  const attempts = await chainTransactions.attemptsOf(db, claimPurpose(intentId));
  return attempts.find(isLive) ?? null;
}

async function goOnWith({ db }: ClaimDeps, { intentId }: ClaimIntent, { signature }: ChainTransaction): Promise<void> {
  await claims.transition(db, intentId, ['submitted'], 'relaying', { signature });
}

async function refuse(
  { db, logger }: ClaimDeps,
  { intentId }: ClaimIntent,
  { refusal, reason }: Refused,
): Promise<void> {
  await claims.transition(db, intentId, ['submitted'], 'refused', { refusal, reason });
  logger.info({ refusal, reason }, 'claim refused');
}

/** Signature and state change together, so that a claim in `relaying` always has its bytes. */
async function persist(
  deps: ClaimDeps,
  intent: ClaimIntent,
  exchangeSigners: readonly TransactionSigner[],
): Promise<void> {
  const { intentId, nonce, issuedSlot } = intent;
  const signed = await coSign(intent, [deps.platform, ...exchangeSigners]);
  await transaction(deps.db, async (tx) => {
    // The row is the lock: a second run of this step waits here and then has nothing to do.
    if (!(await claims.transition(tx, intentId, ['submitted'], 'relaying'))) return;
    const { outcome } = await insertSigned(tx, [
      {
        purpose: claimPurpose(intentId),
        attempt: 1,
        ...signed,
        blockhash: nonce,
        blockhashSlot: issuedSlot,
        lastValidBlockHeight: NEVER,
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
