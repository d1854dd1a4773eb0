import type { Answer } from '../http/api.ts';
import { ApiError } from '../http/api-error.ts';
import { follow, type FollowOptions, type Seen, waitFor } from '../progress/follow.ts';
import { hasLanded } from '../solana/chain.ts';
import type { LaunchOutcome } from './launch-outcome.ts';
import type { SignedLaunch } from './signed-launch.ts';

/** Submit is repeated with the same body: one quote is at most one launch. */
type How = 'submit' | 'status';

/** Follows the launch. It is safe to repeat, also after a crash. Never signs. */
export async function followLaunch(options: FollowOptions, signed: SignedLaunch): Promise<LaunchOutcome> {
  const { paymentSignature } = signed;
  const { onWaiting, rpcUrl, signal } = options;
  const outcome = await follow<LaunchOutcome, How>(
    {
      first: 'submit',
      look: (how) => look(options, signed, how),
      unknown: (reason) => ({ status: 'unknown', reason, paymentSignature }),
      ...(onWaiting && { onWaiting }),
    },
    options,
  );
  if (outcome.status !== 'not_charged' || rpcUrl === undefined) return outcome;
  if (!(await hasLanded(rpcUrl, paymentSignature, signal))) return outcome;
  const reason = `the platform says that it was not charged, and the chain has the payment: ${outcome.reason}`;
  return { status: 'unknown', reason, paymentSignature };
}

async function look(options: FollowOptions, signed: SignedLaunch, how: How): Promise<Seen<LaunchOutcome, How>> {
  try {
    return seenIn(await ask(options, signed, how), signed, options);
  } catch (error) {
    return seenInError(error, signed, how, options);
  }
}

function ask({ api, signal }: FollowOptions, signed: SignedLaunch, how: How): Promise<Answer<'POST /launches/submit'>> {
  const { paymentSignature, wish, signedQuote, signedTransaction } = signed;
  const aborted = signal && { signal };
  if (how === 'status') return api.ask('GET /launches/{paymentSignature}', { path: { paymentSignature }, ...aborted });
  return api.ask('POST /launches/submit', { body: { signedQuote, signedTransaction, logo: wish.logo }, ...aborted });
}

function seenIn(
  answer: Answer<'POST /launches/submit'>,
  { mint }: SignedLaunch,
  { pollMs = 1_000 }: FollowOptions,
): Seen<LaunchOutcome, How> {
  const { status, paymentSignature, pool } = answer;
  if (status === 'completed' && answer.mint !== undefined) {
    if (answer.mint !== mint) throw new Error(`the platform says that ${answer.mint} is live, quoted was ${mint}`);
    return { end: { status, mint, paymentSignature, ...(pool !== undefined && { pool }) } };
  }
  return { again: 'status', afterMs: pollMs, because: whyOpen(answer) };
}

const OPEN_WITH: Readonly<Record<NonNullable<Answer<'POST /launches/submit'>['onChain']>, string>> = {
  unknown: 'nothing of it is known to have landed',
  payment: 'the payment landed, the rest follows',
  bundle: 'everything landed, and it is being recorded',
};

function whyOpen({ status, onChain, awaitsOperator }: Answer<'POST /launches/submit'>): string {
  if (awaitsOperator === true) return 'an operator decides how the launch ends';
  return `the launch is ${status}${onChain === undefined ? '' : `: ${OPEN_WITH[onChain]}`}`;
}

function seenInError(error: unknown, signed: SignedLaunch, how: How, options: FollowOptions): Seen<LaunchOutcome, How> {
  if (error instanceof ApiError) {
    const end = endIn(error, signed);
    if (end) return { end };
    // Never accepted, so the same body is still valid.
    if (how === 'status' && error.code === 'not_found') return againAfter('submit', error, options.pollMs ?? 1_000);
  }
  const afterMs = waitFor(error, options) ?? waitIfUnproven(error, options);
  if (afterMs === null) throw error;
  return againAfter(how, error, afterMs);
}

/**
 * A 503 without `charged: false` makes no statement about a charge, even where the platform expects no other answer: an
 * earlier copy of its database may have begun the launch. So the payment is kept, and asked about until the time is
 * over.
 */
function waitIfUnproven(error: unknown, { pollMs = 1_000 }: FollowOptions): number | null {
  return error instanceof ApiError && error.code === 'service_unavailable' ? pollMs : null;
}

function endIn({ code, message, beside }: ApiError, signed: SignedLaunch): LaunchOutcome | null {
  const { paymentSignature } = signed;
  // Only this field proves that nothing was charged.
  if (beside['charged'] === false) {
    const { refundSignature } = beside;
    if (typeof refundSignature !== 'string') return { status: 'not_charged', reason: message, paymentSignature };
    return { status: 'refunded', reason: message, paymentSignature, refundSignature };
  }
  return code === 'conflict' ? { status: 'needs_recovery', reason: message, paymentSignature } : null;
}

function againAfter(again: How, error: unknown, afterMs: number): Seen<LaunchOutcome, How> {
  return { again, afterMs, because: error instanceof Error ? error.message : 'no answer' };
}
