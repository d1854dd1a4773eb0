import type { Answer } from '../http/api.ts';
import { ApiError } from '../http/api-error.ts';
import { follow, type FollowOptions, type Seen, waitFor } from '../progress/follow.ts';
import type { ClaimOutcome } from './claim-outcome.ts';
import type { SignedClaim } from './signed-claim.ts';

type SeenClaim = Seen<ClaimOutcome, 'submit'>;

/** Follows the claim. It is safe to repeat, also after a crash: one intent is paid at most once. Never signs. */
export function followClaim(options: FollowOptions, signed: SignedClaim): Promise<ClaimOutcome> {
  const { intentId } = signed;
  const { onWaiting } = options;
  return follow<ClaimOutcome, 'submit'>(
    {
      first: 'submit',
      look: () => look(options, signed),
      unknown: (reason) => ({ status: 'unknown', reason, intentId }),
      ...(onWaiting && { onWaiting }),
    },
    options,
  );
}

async function look(options: FollowOptions, signed: SignedClaim): Promise<SeenClaim> {
  try {
    return seenIn(await submit(options, signed), signed, options);
  } catch (error) {
    const end = error instanceof ApiError ? endIn(error) : null;
    if (end) return { end };
    const afterMs = waitFor(error, options);
    if (afterMs === null) throw error;
    return { again: 'submit', afterMs, because: error instanceof Error ? error.message : 'no answer' };
  }
}

function submit({ api, signal }: FollowOptions, { mint, wallet, intentId, signedTransaction }: SignedClaim) {
  return api.ask('POST /tokens/{mint}/fees/claim/submit', {
    path: { mint },
    body: { creatorWallet: wallet, intentId, signedTransaction },
    ...(signal && { signal }),
  });
}

function seenIn(
  answer: Answer<'POST /tokens/{mint}/fees/claim/submit'>,
  { amounts }: SignedClaim,
  { pollMs = 1_000 }: FollowOptions,
): SeenClaim {
  const { landed, signature, reason = 'it did not land' } = answer;
  if (landed === true) return { end: { status: 'paid', signature, amounts } };
  if (landed === false) return { end: { status: 'not_paid', reason } };
  return { again: 'submit', afterMs: pollMs, because: 'the claim is being sent' };
}

function endIn({ code, message, retryable }: ApiError): ClaimOutcome | null {
  if (code === 'conflict' || code === 'not_found') return { status: 'not_paid', reason: message };
  const isRefused = code === 'forbidden' || (code === 'service_unavailable' && !retryable);
  return isRefused ? { status: 'refused', reason: message } : null;
}
