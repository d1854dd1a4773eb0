import type { ClaimIntent } from '../../db/claim/claims.ts';
import { AppError } from '../../domain/errors.ts';
import type { ClaimAnswer } from './fees.schema.ts';
import { inState } from '../../domain/in-state.ts';
import type { ClaimRefusal } from '../../domain/claim/state.ts';

/**
 * The signature never changes. Throws the first submit's refusal, and `service_unavailable` while the platform has not
 * signed.
 */
export function repeatAnswer(intent: ClaimIntent): ClaimAnswer {
  const dead = inState(intent, 'not_landed');
  if (!dead) return claimAnswer(intent, true);
  return { ...relayed(dead, true), landed: false, reason: dead.reason ?? 'it did not land' };
}

/** A claim that died meanwhile gives 409, so the client prepares another. */
export function claimAnswer(intent: ClaimIntent, alreadySubmitted: boolean): ClaimAnswer {
  switch (intent.state) {
    case 'relayed':
    case 'finalized':
      return { ...relayed(intent, alreadySubmitted), landed: true };
    case 'relaying':
    case 'killing':
      return relayed(intent, alreadySubmitted);
    case 'not_landed':
      throw conflict(`the claim did not land: ${intent.reason ?? 'unknown'}; prepare again`);
    case 'refused':
      throw refused(intent);
    case 'issued':
    case 'expired':
      throw conflict('the prepared claim has expired; prepare again');
    case 'submitted':
      throw new AppError('service_unavailable', 'the claim is not relayed yet; submit the same again', {
        retryAfterSeconds: 2,
      });
  }
}

function relayed({ intentId, signature }: ClaimIntent, alreadySubmitted: boolean): ClaimAnswer {
  if (signature === null) throw new Error(`claim ${intentId} was relayed without a signature`);
  return { intentId, signature, alreadySubmitted };
}

function refused({ refusal, reason }: ClaimIntent): AppError {
  const text = reason ?? 'the claim was refused';
  return REFUSED[refusal ?? 'conflict'](text);
}

const REFUSED: Readonly<Record<ClaimRefusal, (text: string) => AppError>> = {
  forbidden: (text) => new AppError('forbidden', text),
  conflict: (text) => conflict(`${text}; prepare again`),
};

/** Retryable error: preparing again helps. */
export function conflict(message: string): AppError {
  return new AppError('conflict', message, { retryable: true });
}
