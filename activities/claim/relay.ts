import { PublicKey, VersionedTransaction } from '@solana/web3.js';
import { buildNonceAdvance, readNonce } from '../../chain/claim/nonce-account.ts';
import * as chainTransactions from '../../db/money/chain-transactions.ts';
import * as claims from '../../db/claim/claims.ts';
import type { ClaimIntent } from '../../db/claim/claims.ts';
import { startBroadcast } from '../../db/money/chain-transaction-batches.ts';
import { markDead } from '../../db/money/chain-transaction-marks.ts';
import type { ChainTransaction } from '../../db/schema/money.ts';
import { claimKillPurpose, claimPurpose } from '../../domain/claim/purpose.ts';
import { type ClaimState, isClaimConfirmed } from '../../domain/claim/state.ts';
import { bookRecent, bookStatuses, FOLLOWED_LESS } from '../money/book-statuses.ts';
import { type Moved, moveOnce } from '../money/move-once.ts';
import type { ClaimDeps } from './deps.ts';
import { adoptLanded } from './sign.ts';

interface Follow {
  /** And switch to `killing` after `killAfterMs`. */
  readonly resend: boolean;
  /** True ends the following; asked while the claim may land. */
  readonly isMoot?: () => Promise<boolean>;
}

/** Sends and follows the claim until it is confirmed, dead or overdue. */
export async function relayClaim(deps: ClaimDeps, intent: ClaimIntent): Promise<void> {
  if (intent.state !== 'relaying') return;
  const row = await transactionOf(deps, intent);
  const { ok } = await startBroadcast(deps.db, [row]);
  if (!ok && row.status === 'abandoned') throw new Error(`claim ${intent.intentId} was given up and cannot be sent`);
  await follow(deps, intent, { resend: true });
}

/**
 * Advances the nonce once, unless it has advanced: then the claim has landed or never can. If a fork reverts the
 * foreign advance, the platform makes its own.
 */
export async function killClaim(deps: ClaimDeps, intent: ClaimIntent): Promise<void> {
  if (intent.state !== 'killing') return;
  const isCurrent = () => isNonceCurrent(deps, intent);
  for (let isConcluded = false; !isConcluded;) {
    const kill = await advanceItsNonce(deps, intent);
    isConcluded = await follow(deps, intent, { resend: false, ...(kill === null && { isMoot: isCurrent }) });
  }
}

function advanceItsNonce(deps: ClaimDeps, intent: ClaimIntent): Promise<Moved | null> {
  const { platform, settings } = deps;
  const purpose = claimKillPurpose(intent.intentId);
  return moveOnce(deps, {
    purpose,
    payer: platform.publicKey,
    assertDue: (tx) => claims.lockKilling(tx, intent.intentId),
    build: async (stamp) => {
      if (!(await isNonceCurrent(deps, intent))) return null;
      const { computeUnitPrice } = settings;
      const request = { platform, mint: new PublicKey(intent.mint), stamp, computeUnitPrice };
      return buildNonceAdvance(request, new PublicKey(intent.nonceAccount));
    },
  });
}

async function isNonceCurrent({ rpc }: ClaimDeps, { nonceAccount, nonce }: ClaimIntent): Promise<boolean> {
  return (await readNonce(rpc, new PublicKey(nonceAccount)))?.nonce === nonce;
}

export async function finalizeClaim(deps: ClaimDeps, intent: ClaimIntent): Promise<void> {
  if (intent.state === 'relayed') await follow(deps, intent, { resend: false });
}

async function follow(deps: ClaimDeps, intent: ClaimIntent, { resend, isMoot }: Follow): Promise<boolean> {
  // By this clock alone: a claim that a fork reverted gets its full time again.
  const overdueAt = deps.now().getTime() + deps.settings.killAfterMs;
  const { pollMs, resendMs } = deps.settings;
  // The other half lets reads of this process share one request.
  const patienceMs = (isClaimConfirmed(intent.state) ? FOLLOWED_LESS * pollMs : pollMs) / 2;
  for (let nextSendAt = 0; ;) {
    deps.heartbeat();
    const isDue = performance.now() >= nextSendAt;
    const row = await look(deps, intent, isDue ? 'everywhere' : { withinMs: patienceMs });
    const conclusion = conclusionOf(intent.state, row);
    if (conclusion !== null) return conclude(deps, intent, row, conclusion);
    if (isDue) nextSendAt = performance.now() + resendMs;
    if (isDue && row.status === 'broadcasting') {
      if (await isDecided(deps, intent, row)) continue;
      if (await isMoot?.()) return false;
      if (resend && deps.now().getTime() >= overdueAt) return conclude(deps, intent, row, { to: 'killing' });
      if (resend) await deps.rpc.sendWire(row.wire);
    }
    await deps.sleep(patienceMs);
  }
}

/** Decisions search everywhere; waiting reads recent blocks only. */
async function look(
  deps: ClaimDeps,
  intent: ClaimIntent,
  where: 'everywhere' | { readonly withinMs: number },
): Promise<ChainTransaction> {
  const row = await transactionOf(deps, intent);
  const isNews =
    where === 'everywhere' ? await bookStatuses(deps, [row]) : await bookRecent(deps, [row], where.withinMs);
  return isNews ? transactionOf(deps, intent) : row;
}

interface Conclusion {
  readonly to: ClaimState;
  readonly reason?: string;
}

/** An error counts once it is finalized. */
function conclusionOf(state: ClaimState, row: ChainTransaction): Conclusion | null {
  switch (row.status) {
    case 'finalized':
      return { to: 'finalized' };
    case 'landed':
      return isClaimConfirmed(state) ? null : { to: 'relayed' };
    case 'failed':
      return row.errorFinalized ? { to: 'not_landed', reason: `it failed on the chain: ${row.error}` } : null;
    case 'dead':
    case 'abandoned':
      return { to: 'not_landed', reason: 'its nonce was advanced before it could land' };
    case 'signed':
    case 'broadcasting':
      return isClaimConfirmed(state) ? { to: 'relaying' } : null;
  }
}

async function conclude(
  deps: ClaimDeps,
  { intentId, state }: ClaimIntent,
  { signature, slot }: ChainTransaction,
  { to, reason }: Conclusion,
): Promise<true> {
  await claims.transition(deps.db, intentId, [state], to, { signature, slot, reason });
  deps.logger.info({ from: state, to, slot: Number(slot), reason }, 'claim moved on');
  return true;
}

/**
 * Books a proof that the nonce went to another transaction, or that the wallet landed the same message under a second
 * signature. Returns whether the ledger changed.
 */
async function isDecided(
  deps: ClaimDeps,
  intent: ClaimIntent,
  { signature, wire }: ChainTransaction,
): Promise<boolean> {
  const { nonceAccount, nonce, issuedSlot } = intent;
  const { message } = VersionedTransaction.deserialize(wire);
  const verdict = await deps.rpc.proveNonceSpent({
    nonceAccount,
    nonce,
    signature,
    message: message.serialize(),
    issuedSlot: Number(issuedSlot),
  });
  switch (verdict.verdict) {
    case 'dead':
      return bookDead(deps, signature);
    case 'landed':
      if (verdict.signature === signature) return false;
      if (verdict.err !== null) return bookDead(deps, signature);
      return (await adoptLanded(deps, intent)) !== null;
    case 'unknown':
    case 'unexplained':
      deps.logger.warn({ reason: verdict.reason }, 'no proof yet whether a claim is dead');
      return false;
    case 'alive':
      return false;
  }
}

async function bookDead({ db }: ClaimDeps, signature: string): Promise<boolean> {
  return (await markDead(db, signature)).outcome !== 'refused';
}

async function transactionOf(deps: ClaimDeps, { intentId }: ClaimIntent): Promise<ChainTransaction> {
  const attempts = await chainTransactions.attemptsOf(deps.db, claimPurpose(intentId));
  const row = attempts.at(-1);
  if (!row) throw new Error(`claim ${intentId} has no transaction in the ledger`);
  return row;
}
