import { PublicKey, VersionedMessage, VersionedTransaction } from '@solana/web3.js';
import bs58 from 'bs58';
import { readNonce } from '../../chain/claim/nonce-account.ts';
import type { TransactionSigner } from '../../chain/signers/signer.ts';
import { signForWallet } from '../../chain/transactions/sign-transaction.ts';
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

/** A durable nonce has no last valid height; the column requires a number. */
const NEVER = BigInt(Number.MAX_SAFE_INTEGER);

/**
 * Persists before anything is sent; or refuses finally. If an earlier copy of the database signed it, it is found on
 * the chain and not signed again.
 */
export async function signClaim(deps: ClaimDeps, intent: ClaimIntent): Promise<void> {
  if (intent.state !== 'submitted') return;
  const known = await liveRowOf(deps, intent);
  if (known) return goOnWith(deps, intent, known);
  const nonce = await readNonce(deps.rpc, new PublicKey(intent.nonceAccount));
  // An endpoint behind the issuing slot proves nothing about this claim.
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
 * The nonce is spent: by this claim, if the database was restored from before its signing, else by another. Only then
 * the history is searched, since the issue: strangers can lengthen it cheaply.
 */
async function overtaken(deps: ClaimDeps, intent: ClaimIntent): Promise<void> {
  const landed = await adoptLanded(deps, intent);
  if (landed) return goOnWith(deps, intent, landed);
  return refuse(deps, intent, { refusal: 'conflict', reason: 'another claim of this token took its place' });
}

async function disown(deps: ClaimDeps, intent: ClaimIntent, authority: string): Promise<void> {
  await claimNonces.forget(deps.db, intent.nonceAccount);
  return refuse(deps, intent, { refusal: 'conflict', reason: `the platform no longer signs as ${authority}` });
}

/**
 * Reads the submitted id first, then searches for another signature of the wallet.
 *
 * @throws UnknownError when no quorum has the history since the issue
 */
export async function adoptLanded(deps: ClaimDeps, intent: ClaimIntent): Promise<ChainTransaction | null> {
  const { intentId, nonceAccount, issuedSlot, signature } = intent;
  const purpose = claimPurpose(intentId);
  const { slot: asOfSlot } = await deps.rpc.agreedHead('confirmed');
  const span = { sinceSlot: Number(issuedSlot), asOfSlot };
  const search = { escrow: nonceAccount, signer: deps.platform.publicKey.toBase58(), span };
  if (signature !== null) await adoptSigned(deps, search, { purpose, signature });
  const known = await liveRowOf(deps, intent);
  if (known && hasLanded(known)) return known;
  await adoptFromHistory(deps, search, [purpose]);
  return liveRowOf(deps, intent);
}

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

/** Stores the signed bytes and the new state together, so that a claim in `relaying` always has its bytes. */
async function persist(
  deps: ClaimDeps,
  intent: ClaimIntent,
  exchangeSigners: readonly TransactionSigner[],
): Promise<void> {
  const { intentId, nonce, issuedSlot } = intent;
  const signed = await coSign(intent, [deps.platform, ...exchangeSigners]);
  await transaction(deps.db, async (tx) => {
    // The row is the lock: a second run waits here and then has nothing to do.
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

function coSign(intent: ClaimIntent, signers: readonly TransactionSigner[]) {
  const { signature } = intent;
  if (signature === null) throw new Error('a claim without the creator’s signature is never co-signed');
  const transaction = new VersionedTransaction(VersionedMessage.deserialize(claims.signedMessageOf(intent)));
  transaction.signatures[0] = bs58.decode(signature);
  return signForWallet(transaction, signers);
}
