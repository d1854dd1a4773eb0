import { PublicKey, VersionedMessage, VersionedTransaction } from '@solana/web3.js';
import bs58 from 'bs58';
import {
  type BuiltClaim,
  buildClaim,
  type ClaimPosition,
  isEmpty,
  type PositionFees,
  readPositionFees,
} from '../../chain/claims/claim-transaction.ts';
import { readNonce } from '../../chain/claims/nonce-account.ts';
import { isValidSignature } from '../../chain/transactions/verify.ts';
import type { ClaimIntent } from '../../db/claims.ts';
import { createTokenRepository } from '../../db/tokens.ts';
import type { ClaimRefusal } from '../../domain/claim-state.ts';
import type { ClaimDeps } from './deps.ts';

/** What the platform found before signing: the transaction to sign, or why it must not. */
export type Verification =
  | { readonly ok: true; readonly claim: BuiltClaim }
  | { readonly ok: false; readonly refusal: ClaimRefusal; readonly reason: string };

/**
 * Everything that must hold before the platform signs: the creator's signature over the issued bytes, the Fee Key in the
 * creator's hands, a nonce that nothing has advanced, something to claim, an unchanged transaction, and a simulation that
 * succeeds. The node gets the transaction without signatures: no RPC provider holds a claim before it is decided.
 */
export async function verifyClaim(deps: ClaimDeps, intent: ClaimIntent): Promise<Verification> {
  const { message, signature, wallet } = intent;
  const creator = new PublicKey(wallet);
  if (signature === null || !isValidSignature(bs58.decode(signature), message, creator)) {
    return refuse('conflict', 'the submitted signature is not the wallet’s');
  }
  const fees = await readPositionFees(deps, await positionOf(deps, intent));
  if (!fees.holder?.equals(creator)) return refuse('forbidden', 'the wallet does not hold the Fee Key of this launch');
  const nonce = await readNonce(deps.rpc.connection, new PublicKey(intent.nonceAccount));
  if (nonce?.nonce !== intent.nonce) return refuse('conflict', 'another claim of this token took its place');
  if (isEmpty(fees.claimable)) return refuse('conflict', 'nothing is left to claim');
  return rebuild(deps, intent, fees);
}

/** The claim is built anew, for the adapter's own keys; whatever is not the issued bytes is not signed. */
async function rebuild(deps: ClaimDeps, intent: ClaimIntent, fees: PositionFees): Promise<Verification> {
  const { intentId, nonce, message } = intent;
  const claim = await buildClaim(deps, fees, {
    ...{ intentId, nonce, authority: deps.platform.publicKey },
    wallet: new PublicKey(intent.wallet),
    nonceAccount: new PublicKey(intent.nonceAccount),
  });
  if (!Buffer.from(message).equals(claim.message.serialize())) {
    return refuse('conflict', 'the pool has moved on since this claim was prepared');
  }
  const unsigned = new VersionedTransaction(VersionedMessage.deserialize(message)).serialize();
  const simulation = await deps.rpc.simulateTransaction(unsigned, { verifySignatures: false });
  if (simulation.err === null) return { ok: true, claim };
  deps.logger.warn({ err: simulation.err, logs: simulation.logs }, 'claim simulation failed');
  return refuse('conflict', `the claim would fail: ${JSON.stringify(simulation.err)}`);
}

async function positionOf({ db }: ClaimDeps, { mint, feeKeyMint }: ClaimIntent): Promise<ClaimPosition> {
  const token = await createTokenRepository(db).byMint(mint);
  if (!token) throw new Error(`token ${mint} of a claim is not in the database`);
  const [base, quote, pool, key] = [mint, token.quoteMint, token.pool, feeKeyMint].map((one) => new PublicKey(one));
  return { mint: base!, quoteMint: quote!, pool: pool!, feeKeyMint: key! };
}

function refuse(refusal: ClaimRefusal, reason: string): Verification {
  return { ok: false, refusal, reason };
}
