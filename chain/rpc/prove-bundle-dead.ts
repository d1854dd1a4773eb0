import { errorText } from '../../domain/error-text.ts';
import type { EndpointSet } from './endpoints.ts';
import { type DeathCase, EXPIRY_MARGIN_BLOCKS, type Testimony, testimonyOf, type Trace } from './witness.ts';

/**
 * `dead`: did not land and never can. `landed`: finalized, with an error unless `err` is null. `alive`: may still land
 * or be rolled back. `unknown`: too few endpoints, or they contradict each other. `unexplained`: can no longer land,
 * and a quorum shows an effect like its own that no transaction explains; waiting does not help.
 */
export type Verdict =
  | { readonly verdict: 'dead' }
  | { readonly verdict: 'landed'; readonly signature: string; readonly slot: number; readonly err: unknown }
  | { readonly verdict: 'alive'; readonly reason: string }
  | { readonly verdict: 'unknown' | 'unexplained'; readonly reason: string };

/**
 * Decides whether a signed transaction can never take effect. A quorum must prove it, each endpoint on its own:
 *
 * - The finalized block height is past `lastValidBlockHeight` + 32, at slot S.
 * - Responses of slot S or later, with a history back to the blockhash's slot, show no trace by signature or effect.
 * - Fewer than a quorum have a trace.
 *
 * So one liar of three blocks no proof, one of two does. An endpoint that cannot respond neither counts nor blocks.
 * Never rejects for endpoint failures.
 */
export async function proveDead(endpoints: EndpointSet, question: DeathCase): Promise<Verdict> {
  const replies = await endpoints.everyReply((endpoint) => testimonyOf(endpoint, question));
  const testimonies = replies.flatMap((reply) => (reply.ok ? [reply.value] : []));
  const silences = replies.flatMap((reply) => (reply.ok ? [] : [errorText(reply.error)]));
  const absences = testimonies.filter(({ kind, trace }) => kind === 'expired' && trace === null).length;
  const traces = testimonies.flatMap(({ trace }) => (trace ? [trace] : []));
  return judgeTraces(traces, absences, endpoints.quorum) ?? judgeSilence(testimonies, absences, silences, question);
}

/** Decides only by a quorum; undefined without any trace and without a quorum of absences. */
export function judgeTraces(traces: readonly Trace[], absences: number, quorum: number): Verdict | undefined {
  if (absences >= quorum) return traces.length < quorum ? { verdict: 'dead' } : contradicted(traces, absences);
  const [first] = traces;
  if (!first) return undefined;
  const finals = traces.filter(isFinal);
  const landed = finals.find((one) => finals.filter((other) => isSame(one, other)).length >= quorum);
  if (landed) {
    const { signature, status } = landed;
    return { verdict: 'landed', signature, slot: status.slot, err: status.err };
  }
  const lasting = traces.flatMap((trace) => (trace.by === 'effect' && trace.isLasting ? [trace.detail] : []));
  if (lasting.length >= quorum) return { verdict: 'unexplained', reason: lasting.join('; ') };
  if (finals.length > 0 || first.by === 'effect') return contradicted(traces, absences);
  const { signature, status } = first;
  return { verdict: 'alive', reason: `${signature} is ${status.commitment} at slot ${status.slot}` };
}

type SignatureTrace = Trace & { readonly by: 'signature' };

function isFinal(trace: Trace): trace is SignatureTrace {
  return trace.by === 'signature' && trace.status.commitment === 'finalized';
}

function isSame(a: SignatureTrace, b: SignatureTrace): boolean {
  const isSameOutcome = (a.status.err === null) === (b.status.err === null);
  return a.signature === b.signature && a.status.slot === b.status.slot && isSameOutcome;
}

function contradicted(traces: readonly Trace[], absences: number): Verdict {
  const found = traces.map((trace) =>
    trace.by === 'effect' ? trace.detail : `one endpoint has ${trace.signature} ${trace.status.commitment}`,
  );
  return { verdict: 'unknown', reason: `${[...new Set(found)].join('; ')}; ${absences} found no trace` };
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
