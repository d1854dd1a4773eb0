import { errorText } from '../../domain/error-text.ts';
import { RpcAnswerError, type RpcEndpoint, RpcUnavailableError } from './json-rpc.ts';

export type Reply<T> =
  | { readonly endpoint: RpcEndpoint; readonly ok: true; readonly value: T }
  | { readonly endpoint: RpcEndpoint; readonly ok: false; readonly error: unknown };

export type Ask<T> = (endpoint: RpcEndpoint) => Promise<T>;

export interface EndpointSet {
  readonly all: readonly RpcEndpoint[];
  /** Two, or one if only one is configured. */
  readonly quorum: number;
  /**
   * The first response, in order of preference; a slow endpoint is hedged by the next, a silent one comes last.
   *
   * @throws RpcAnswerError of the first endpoint if all returned errors, else RpcUnavailableError
   */
  read<T>(ask: Ask<T>): Promise<T>;
  /** Index of the endpoint that `read` asks first. */
  preference(): number;
  /**
   * Prefers the endpoint after `than` for a minute, because an action on its response failed: retries bypass a liar. No
   * effect if another one is preferred already: one lie may cause many failures.
   */
  preferOtherEndpoint(than: number): void;
  /** Waits for all. Never rejects. */
  everyReply<T>(ask: Ask<T>): Promise<Reply<T>[]>;
  /** For hints: waits up to 300 ms after the first response. Never rejects. */
  promptReplies<T>(ask: Ask<T>): Promise<Reply<T>[]>;
  /**
   * For facts: waits until a quorum has responded, and then until the grace is over and the values decide, at most six
   * seconds. So one quick endpoint ends no wait for slower ones, and none that hangs holds a read up until its timeout.
   * Endpoints that lately did not respond, or not in these six seconds, get the grace alone. Never rejects.
   */
  quorumReplies<T>(ask: Ask<T>, wait: QuorumWait<T>): Promise<Reply<T>[]>;
}

export interface QuorumWait<T> {
  /** For the other endpoints, once a quorum has responded. */
  readonly graceMs: number;
  /** True if the values decide; until then slower endpoints are waited for, within bounds. Default: any do. */
  readonly isDecided?: (values: readonly T[]) => boolean;
  /** True if the wait can end at once. Default: never. */
  readonly isEnough?: (values: readonly T[]) => boolean;
}

/** A silent endpoint is tried last this long, ms. */
const COOL_DOWN_MS = 10_000;
const PROMPT_GRACE_MS = 300;

/** The longest wait for slower endpoints once a quorum has responded, if its values decide nothing; ms. */
const UNDECIDED_MS = 6_000;

const ELSEWHERE_MS = 60_000;

/** Wait before the next endpoint is asked too, ms. */
const HEDGE_MS = 1_000;

/** Returns how many endpoints make a quorum of so many: two, or the only one. */
export function quorumOf(endpoints: number): number {
  return Math.min(2, endpoints);
}

/**
 * Uses the endpoints in order of preference; `now` in ms.
 *
 * @throws RangeError without endpoints
 */
export function createEndpointSet(all: readonly RpcEndpoint[], now: () => number): EndpointSet {
  if (all.length === 0) throw new RangeError('at least one RPC endpoint is required');
  const silentUntil = new Map<RpcEndpoint, number>();
  const unansweredUntil = new Map<RpcEndpoint, number>();
  let elsewhere = { first: 0, until: 0 };
  const first = () => (elsewhere.until > now() ? elsewhere.first : 0);
  const ordered = () =>
    [...all.slice(first()), ...all.slice(0, first())].toSorted((a, b) => Number(isSilent(a)) - Number(isSilent(b)));
  const isSilent = (endpoint: RpcEndpoint) => (silentUntil.get(endpoint) ?? 0) > now();
  const markSilent = (endpoint: RpcEndpoint) => silentUntil.set(endpoint, now() + COOL_DOWN_MS);
  const markUnanswered = (endpoint: RpcEndpoint) => unansweredUntil.set(endpoint, now() + COOL_DOWN_MS);
  const reply = async <T>(endpoint: RpcEndpoint, ask: Ask<T>): Promise<Reply<T>> => {
    const askedAt = now();
    try {
      const value = await ask(endpoint);
      if (now() - askedAt < UNDECIDED_MS) unansweredUntil.delete(endpoint);
      return { endpoint, ok: true, value };
    } catch (error) {
      if (error instanceof RpcUnavailableError) {
        markSilent(endpoint);
        markUnanswered(endpoint);
      }
      return { endpoint, ok: false, error };
    }
  };
  const quorum = quorumOf(all.length);
  return {
    all,
    quorum,
    read: (ask) => readHedged(ordered(), (endpoint) => reply(endpoint, ask), markSilent),
    preference: first,
    preferOtherEndpoint(than) {
      if (first() === than) elsewhere = { first: (than + 1) % all.length, until: now() + ELSEWHERE_MS };
    },
    everyReply: (ask) => Promise.all(all.map((endpoint) => reply(endpoint, ask))),
    promptReplies: (ask) =>
      gather(
        all.map((endpoint) => ({ reply: reply(endpoint, ask), isAwaited: false, giveUp: () => undefined })),
        1,
        { graceMs: PROMPT_GRACE_MS },
      ),
    quorumReplies: (ask, wait) =>
      gather(
        all.map((endpoint) => {
          const isAwaited = (unansweredUntil.get(endpoint) ?? 0) <= now();
          return { reply: reply(endpoint, ask), isAwaited, giveUp: () => markUnanswered(endpoint) };
        }),
        quorum,
        wait,
      ),
  };
}

/** A slow endpoint is marked silent, but its response still counts if it comes first. */
async function readHedged<T>(
  order: readonly RpcEndpoint[],
  ask: (endpoint: RpcEndpoint) => Promise<Reply<T>>,
  markSilent: (endpoint: RpcEndpoint) => void,
): Promise<T> {
  const result = Promise.withResolvers<T>();
  const failures: unknown[] = [];
  let [begun, timer]: [number, NodeJS.Timeout | undefined] = [0, undefined];
  const beginNext = () => {
    clearTimeout(timer);
    const [at, endpoint] = [begun, order[begun]];
    if (!endpoint) return;
    begun += 1;
    const giveUpWaiting = () => {
      markSilent(endpoint);
      beginNext();
    };
    if (begun < order.length) timer = setTimeout(giveUpWaiting, HEDGE_MS);
    void ask(endpoint).then((reply) => {
      if (reply.ok) {
        clearTimeout(timer);
        result.resolve(reply.value);
        return;
      }
      failures.push(reply.error);
      if (failures.length === order.length) result.reject(allFailed(failures));
      // A late failure was already bypassed.
      else if (at === begun - 1) beginNext();
    });
  };
  beginNext();
  return result.promise;
}

interface Pending<T> {
  readonly reply: Promise<Reply<T>>;
  /** Until it responds or fails; otherwise for the grace alone. */
  readonly isAwaited: boolean;
  /** Called if a read that needed its response ended without it. */
  giveUp(): void;
}

/**
 * Waits for `quorum` responses, fewer if fewer are awaited, then for the grace and a decision; for that within bounds
 * once all of the quorum have responded.
 */
async function gather<T>(
  pending: readonly Pending<T>[],
  quorum: number,
  { graceMs, isDecided = () => true, isEnough = () => false }: QuorumWait<T>,
): Promise<Reply<T>[]> {
  const replies: Reply<T>[] = [];
  const ended = Promise.withResolvers<void>();
  const open = new Set(pending);
  let awaited = pending.filter(({ isAwaited }) => isAwaited).length;
  const needed = Math.max(1, Math.min(quorum, awaited));
  let [grace, bound]: [NodeJS.Timeout | undefined, NodeJS.Timeout | undefined] = [undefined, undefined];
  let isGraceOver = false;
  const judge = (): void => {
    const values = replies.flatMap((reply) => (reply.ok ? [reply.value] : []));
    if (values.length >= needed || (awaited === 0 && values.length > 0)) {
      grace ??= setTimeout(() => {
        isGraceOver = true;
        judge();
      }, graceMs);
    }
    if (values.length >= quorum) bound ??= setTimeout(endUndecided, UNDECIDED_MS);
    const isOver = isGraceOver && (awaited === 0 || isDecided(values));
    if (isOver || open.size === 0 || isEnough(values)) ended.resolve();
  };
  const endUndecided = (): void => {
    for (const one of open) one.giveUp();
    ended.resolve();
  };
  for (const one of pending) {
    void one.reply.then((reply) => {
      replies.push(reply);
      open.delete(one);
      if (one.isAwaited) awaited -= 1;
      judge();
    });
  }
  await ended.promise;
  clearTimeout(grace);
  clearTimeout(bound);
  return [...replies];
}

/** Returns the value that a quorum gives; undefined without one. */
export function agreedByQuorum<T>(
  { quorum }: Pick<EndpointSet, 'quorum'>,
  said: readonly T[],
  isSame: (one: T, other: T) => boolean = Object.is,
): T | undefined {
  return said.find((one) => said.filter((other) => isSame(one, other)).length >= quorum);
}

/** @throws RpcUnavailableError without an agreed value */
export function agreedOn<T>(agreed: T | undefined, what: string): T {
  if (agreed !== undefined) return agreed;
  throw new RpcUnavailableError(`no quorum of RPC endpoints says the same of ${what}`);
}

/** @throws as `read` when there are none */
export function answersOf<T>(replies: readonly Reply<T>[]): T[] {
  const values = replies.flatMap((reply) => (reply.ok ? [reply.value] : []));
  if (values.length === 0) throw allFailed(replies.map((reply) => (reply.ok ? undefined : reply.error)));
  return values;
}

/** @throws RpcUnavailableError when fewer than a quorum responded, with the others' errors as cause */
export function quorumAnswersOf<T>({ quorum }: EndpointSet, replies: readonly Reply<T>[], say: string): T[] {
  const values = answersOf(replies);
  if (values.length >= quorum) return values;
  const errors = replies.flatMap((reply) => (reply.ok ? [] : [reply.error]));
  const cause = new AggregateError(errors);
  throw new RpcUnavailableError(`${values.length} of ${quorum} RPC endpoints say ${say}`, { cause });
}

function allFailed(errors: readonly unknown[]): Error {
  const [first] = errors;
  if (first instanceof Error && errors.every((error) => error instanceof RpcAnswerError)) return first;
  if (errors.length === 1 && first instanceof Error) return first;
  const reasons = errors.map(errorText);
  return new RpcUnavailableError(reasons.join('; '), { cause: new AggregateError(errors) });
}
