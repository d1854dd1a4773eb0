import { PublicKey, VersionedTransaction } from '@solana/web3.js';
import { buildNonceAdvance, readNonce } from '../../chain/claims/nonce-account.ts';
import { createChainTransactionRepository } from '../../db/chain-transactions.ts';
import { type ClaimIntent, createClaimRepository } from '../../db/claims.ts';
import type { ChainTransaction } from '../../db/schema.ts';
import { claimKillPurpose, claimPurpose } from '../../domain/claim-purpose.ts';
import type { ClaimState } from '../../domain/claim-state.ts';
import { bookStatuses } from '../money/book-statuses.ts';
import { moveOnce } from '../money/once.ts';
import type { ClaimDeps } from './deps.ts';

/** Sends a signed claim again and again until it is confirmed, can never land, or has taken too long. */
export async function relayClaim(deps: ClaimDeps, intent: ClaimIntent): Promise<void> {
  if (intent.state !== 'relaying') return;
  const row = await transactionOf(deps, intent);
  const { ok } = await createChainTransactionRepository(deps.db).startBroadcast([row]);
  if (!ok && row.status === 'abandoned') throw new Error(`claim ${intent.intentId} was given up and cannot be sent`);
  await follow(deps, intent, { resend: true });
}

/**
 * Ends a claim that does not land: its nonce is advanced, once, unless something has advanced it already. Then it has
 * either landed before, or it never can.
 */
export async function killClaim(deps: ClaimDeps, intent: ClaimIntent): Promise<void> {
  if (intent.state !== 'killing') return;
  const nonceAccount = new PublicKey(intent.nonceAccount);
  const purpose = claimKillPurpose(intent.intentId);
  const { platform, settings } = deps;
  await moveOnce(deps, settings, {
    purpose,
    escrow: intent.nonceAccount,
    signer: platform.publicKey.toBase58(),
    build: async (blockhash) => {
      const state = await readNonce(deps.rpc.connection, nonceAccount);
      if (state?.nonce !== intent.nonce) return null;
      const { computeUnitPrice } = settings;
      const mint = new PublicKey(intent.mint);
      return buildNonceAdvance({ platform, mint, purpose, blockhash, computeUnitPrice }, nonceAccount);
    },
  });
  await follow(deps, intent, { resend: false });
}

/** Follows a confirmed claim until no fork can take it back. */
export async function finalizeClaim(deps: ClaimDeps, intent: ClaimIntent): Promise<void> {
  if (intent.state === 'relayed') await follow(deps, intent, { resend: false });
}

/** Looks at the chain until the claim is in another state than it was. */
async function follow(deps: ClaimDeps, intent: ClaimIntent, { resend }: { readonly resend: boolean }): Promise<void> {
  const { signature } = await transactionOf(deps, intent);
  for (let nextSendAt = 0; ;) {
    deps.heartbeat();
    const row = await look(deps, intent, signature);
    const to = conclusionOf(intent.state, row);
    if (to !== null) return conclude(deps, intent, row, to);
    const now = deps.now().getTime();
    if (row.status === 'broadcasting' && now >= nextSendAt) {
      if (await isSpent(deps, intent, row)) continue;
      if (resend && isOverdue(deps, row, now)) return conclude(deps, intent, row, 'killing');
      if (resend) await deps.rpc.sendWire(row.wire);
      nextSendAt = now + deps.settings.resendMs;
    }
    await deps.sleep(deps.settings.pollMs);
  }
}

async function look(deps: ClaimDeps, intent: ClaimIntent, signature: string): Promise<ChainTransaction> {
  const ledger = createChainTransactionRepository(deps.db);
  const before = await ledger.bySignature(signature);
  if (before) await bookStatuses(deps, [before]);
  const row = await ledger.bySignature(signature);
  if (!row) throw new Error(`claim ${intent.intentId} has lost its transaction ${signature}`);
  return row;
}

/** The state that follows from what the chain says; null while nothing does. An error counts once it is finalized. */
function conclusionOf(state: ClaimState, row: ChainTransaction): ClaimState | null {
  switch (row.status) {
    case 'finalized':
      return 'finalized';
    case 'landed':
      return state === 'relayed' ? null : 'relayed';
    case 'failed':
      return row.errorFinalized ? 'not_landed' : null;
    case 'dead':
    case 'abandoned':
      return 'not_landed';
    case 'signed':
    case 'broadcasting':
      return state === 'relayed' ? 'relaying' : null;
  }
}

async function conclude(deps: ClaimDeps, intent: ClaimIntent, row: ChainTransaction, to: ClaimState): Promise<void> {
  const { intentId, state } = intent;
  const reason = to === 'not_landed' ? reasonOf(row) : undefined;
  await createClaimRepository(deps.db).transition(intentId, [state], to, { slot: row.slot, reason });
  deps.logger.info({ from: state, to, slot: Number(row.slot), reason }, 'claim moved on');
}

function reasonOf({ status, error }: ChainTransaction): string {
  return status === 'failed' ? `it failed on the chain: ${error}` : 'its nonce was advanced before it could land';
}

function isOverdue({ settings }: ClaimDeps, { broadcastAt }: ChainTransaction, now: number): boolean {
  return broadcastAt !== null && now - broadcastAt.getTime() > settings.killAfterMs;
}

/** Books a claim as dead once it is proven that its nonce went to something else. */
async function isSpent(deps: ClaimDeps, intent: ClaimIntent, row: ChainTransaction): Promise<boolean> {
  const { nonceAccount, nonce, issuedSlot } = intent;
  const { message } = VersionedTransaction.deserialize(row.wire);
  const { signature } = row;
  const verdict = await deps.rpc.proveNonceSpent({
    ...{ nonceAccount, nonce, signature, message: message.serialize(), issuedSlot: Number(issuedSlot) },
  });
  if (verdict.verdict === 'unknown')
    deps.logger.warn({ reason: verdict.reason }, 'no proof yet whether a claim is dead');
  if (verdict.verdict !== 'dead') return false;
  const { outcome } = await createChainTransactionRepository(deps.db).markDead(signature);
  return outcome !== 'refused';
}

async function transactionOf(deps: ClaimDeps, { intentId }: ClaimIntent): Promise<ChainTransaction> {
  const attempts = await createChainTransactionRepository(deps.db).attemptsOf(claimPurpose(intentId));
  const row = attempts.at(-1);
  if (!row) throw new Error(`claim ${intentId} has no transaction in the ledger`);
  return row;
}
