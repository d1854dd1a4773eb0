import bs58 from 'bs58';
import Type from 'typebox';
import { Compile } from 'typebox/compile';
import type { EndpointSet } from './endpoints.ts';
import { askHistory, HistoryTooLongError } from './history.ts';
import type { RpcEndpoint } from './json-rpc.ts';
import { judgeTraces, type Verdict } from './prove-bundle-dead.ts';
import { assertReachesBack, NoTestimonyError } from './reach.ts';
import { askStatuses } from './statuses.ts';
import { findMessage, MAX_COMPARED, type Trace } from './witness.ts';

export interface NonceCase {
  readonly nonceAccount: string;
  /** Value in the transaction, base58. */
  readonly nonce: string;
  readonly signature: string;
  /** Signing it again gives another signature. */
  readonly message: Uint8Array;
  /** Slot of the nonce's read; the transaction cannot have landed earlier. */
  readonly issuedSlot: number;
}

type Testimony = { readonly kind: 'current' } | { readonly kind: 'spent'; readonly trace: Trace | null };

const NonceAccountShape = Compile(
  Type.Object({
    context: Type.Object({ slot: Type.Integer({ minimum: 0 }) }),
    value: Type.Union([Type.Null(), Type.Object({ data: Type.Tuple([Type.String(), Type.Literal('base64')]) })]),
  }),
);

/** Version and state (u32 each), authority (32 bytes), nonce (solana `nonce::state::Data`). */
const NONCE_OFFSET = 40;

/**
 * Decides whether a durable nonce transaction can never take effect. A quorum must prove it, each endpoint on its own:
 *
 * - The finalized nonce account, at slot S not before the value was read, has another value.
 * - Responses of slot S or later, with a history back to that read, show no trace by signature or message.
 * - Fewer than a quorum have a trace.
 *
 * Never rejects for endpoint failures.
 */
export async function proveNonceSpent(endpoints: EndpointSet, question: NonceCase): Promise<Verdict> {
  const replies = await endpoints.everyReply((endpoint) => testimonyOf(endpoint, question));
  const testimonies = replies.flatMap((reply) => (reply.ok ? [reply.value] : []));
  const spent = testimonies.filter((one) => one.kind === 'spent');
  const traces = spent.flatMap(({ trace }) => trace ?? []);
  const absences = spent.length - traces.length;
  const verdict = judgeTraces(traces, absences, endpoints.quorum);
  if (verdict) return verdict;
  if (spent.length === 0 && testimonies.length > 0) {
    return { verdict: 'alive', reason: `the nonce ${question.nonce} is still current at finality` };
  }
  const silences = replies.flatMap((reply) => (reply.ok ? [] : [String(reply.error)]));
  return { verdict: 'unknown', reason: [`${absences} endpoints proved absence`, ...silences].join('; ') };
}

async function testimonyOf(endpoint: RpcEndpoint, question: NonceCase): Promise<Testimony> {
  const { nonceAccount, nonce, signature, issuedSlot } = question;
  const options = { commitment: 'finalized', encoding: 'base64' };
  const { context, value } = await endpoint.call('getAccountInfo', [nonceAccount, options], NonceAccountShape);
  // Finality is behind the `confirmed` read: an older value does not mean spent.
  if (context.slot < issuedSlot) return { kind: 'current' };
  if (value === null) throw new NoTestimonyError(`${endpoint.name} has no finalized nonce account ${nonceAccount}`);
  if (
    Buffer.from(value.data[0], 'base64')
      .subarray(NONCE_OFFSET, NONCE_OFFSET + 32)
      .equals(bs58.decode(nonce))
  ) {
    return { kind: 'current' };
  }
  const { slot, statuses } = await askStatuses(endpoint, [signature]);
  const [status] = statuses;
  if (status) return { kind: 'spent', trace: { by: 'signature', signature, status } };
  // Several nodes may serve one address: each response must be as new as the first.
  if (slot < context.slot) {
    throw new NoTestimonyError(`${endpoint.name} answered statuses of slot ${slot}, older than ${context.slot}`);
  }
  const trace = await secondSignature(endpoint, question, context.slot);
  await assertReachesBack(endpoint, issuedSlot);
  return { kind: 'spent', trace };
}

/**
 * The same message under another signature, which only its wallet can make. Skipped if the history is too long: the
 * nonce lets the message take effect once, so the result only names the claim's outcome.
 */
async function secondSignature(
  endpoint: RpcEndpoint,
  { nonceAccount, message, issuedSlot }: NonceCase,
  slot: number,
): Promise<Trace | null> {
  try {
    const range = { afterSlot: issuedSlot - 1, minContextSlot: slot, limit: MAX_COMPARED };
    return await findMessage(endpoint, message, await askHistory(endpoint, nonceAccount, range));
  } catch (error) {
    if (error instanceof HistoryTooLongError) return null;
    throw error;
  }
}
