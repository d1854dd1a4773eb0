import { errorText } from '../../domain/error-text.ts';
import type { EndpointSet } from './endpoints.ts';
import { type DeathCase, EXPIRY_MARGIN_BLOCKS, type Testimony, testimonyOf, type Trace } from './witness.ts';

/**
 * What is known of a signed transaction.
 *
 * `dead` it has not landed and never can · `landed` it is finalized, with an error where `err` is not null · `alive` it may
 * still land or be rolled back · `unknown` too few endpoints could answer, or they contradict each other · `unexplained` it can
 * land no more, and a quorum shows an effect like its own that no transaction explains: waiting does not help.
 */
export type Verdict =
  | { readonly verdict: 'dead' }
  | { readonly verdict: 'landed'; readonly signature: string; readonly slot: number; readonly err: unknown }
  | { readonly verdict: 'alive'; readonly reason: string }
  | { readonly verdict: 'unknown' | 'unexplained'; readonly reason: string };

/**
 * Decides whether a signed transaction can never take effect any more.
 *
 * Dead = at a quorum of endpoints (two, or one where only one is configured), each asked for itself: its finalized block
 * height is past `lastValidBlockHeight` + 32 at slot S, and its answers of slot S or later, with a history that reaches back
 * to the blockhash's slot, have no trace of the transaction, neither by signature nor by effect; and no other endpoint has
 * one. An endpoint that cannot answer neither counts nor blocks. With one endpoint the proof is as good as that endpoint.
 * Never rejects for what endpoints do.
 */
export async function proveDead(endpoints: EndpointSet, question: DeathCase): Promise<Verdict> {
  const replies = await endpoints.everyReply((endpoint) => testimonyOf(endpoint, question));
  const testimonies = replies.flatMap((reply) => (reply.ok ? [reply.value] : []));
  const silences = replies.flatMap((reply) => (reply.ok ? [] : [errorText(reply.error)]));
  const absences = testimonies.filter(({ kind, trace }) => kind === 'expired' && trace === null).length;
  const traces = testimonies.flatMap(({ trace }) => (trace ? [trace] : []));
  const effects = traces.flatMap((trace) => (trace.by === 'effect' && trace.isLasting ? [trace.detail] : []));
  if (effects.length >= endpoints.quorum && effects.length === traces.length && absences === 0) {
    return { verdict: 'unexplained', reason: effects.join('; ') };
  }
  if (traces.length > 0) return judgeTraces(traces, absences);
  if (absences >= endpoints.quorum) return { verdict: 'dead' };
  return judgeSilence(testimonies, absences, silences, question);
}

/** What traces mean beside so many endpoints that found none. */
export function judgeTraces(traces: readonly Trace[], absences: number): Verdict {
  const final = traces.find((trace) => trace.by === 'signature' && trace.status.commitment === 'finalized');
  if (final?.by === 'signature' && absences === 0) {
    const { slot, err } = final.status;
    return { verdict: 'landed', signature: final.signature, slot, err };
  }
  if (final?.by === 'signature') {
    return {
      verdict: 'unknown',
      reason: `one endpoint has ${final.signature} finalized, ${absences} found no trace of it`,
    };
  }
  const [first] = traces;
  if (first?.by === 'signature') {
    return {
      verdict: 'alive',
      reason: `${first.signature} is ${first.status.commitment} at slot ${first.status.slot}`,
    };
  }
  return { verdict: 'unknown', reason: first?.detail ?? 'an unexplained trace' };
}

function judgeSilence(
  testimonies: readonly Testimony[],
  absences: number,
  silences: readonly string[],
  question: DeathCase,
): Verdict {
  const heights = testimonies.flatMap((one) => (one.kind === 'not-expired' ? [one.blockHeight] : []));
  const needed = question.lastValidBlockHeight + EXPIRY_MARGIN_BLOCKS;
  if (heights.length > 0 && absences === 0) {
    return { verdict: 'alive', reason: `finalized block height ${Math.max(...heights)} is not past ${needed}` };
  }
  const behind = heights.map((height) => `an endpoint is at block height ${height}, not past ${needed}`);
  return { verdict: 'unknown', reason: [`${absences} endpoints proved absence`, ...behind, ...silences].join('; ') };
}
