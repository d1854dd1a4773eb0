import { setTimeout as sleep } from 'node:timers/promises';
import { errorText } from '../../domain/error-text.ts';
import { RpcAnswerError, type RpcEndpoint, RpcUnavailableError } from './json-rpc.ts';

/** What one endpoint said, or why it said nothing. */
export type Reply<T> =
  | { readonly endpoint: RpcEndpoint; readonly ok: true; readonly value: T }
  | { readonly endpoint: RpcEndpoint; readonly ok: false; readonly error: unknown };

/** A question to one endpoint. */
export type Ask<T> = (endpoint: RpcEndpoint) => Promise<T>;

/** Ways to ask several endpoints. */
export interface EndpointSet {
  readonly all: readonly RpcEndpoint[];
  /** How many endpoints a truth needs: two, or one where only one is configured. */
  readonly quorum: number;
  /**
   * The first answer, asking one endpoint after the other, the next one also where an answer takes long; one that did not answer
   * lately comes last.
   * @throws RpcAnswerError of the first endpoint when all of them answered an error, else RpcUnavailableError.
   */
  read<T>(ask: Ask<T>): Promise<T>;
  /** Place of the endpoint that `read` asks first. */
  preference(): number;
  /**
   * Asks another endpoint than this one first for a minute: what was made of its word failed. One that lies, or is stuck, is gone round
   * by whatever is tried again. Nothing where another one is asked first by now: many may fail by one lie.
   */
  readElsewhere(than: number): void;
  /** Asks all at once and waits for every one of them. Never rejects. */
  everyReply<T>(ask: Ask<T>): Promise<Reply<T>[]>;
  /**
   * Asks all at once; once one has answered, the others get `graceMs` more, or until what was answered `isEnough`; default never.
   * Never rejects.
   */
  promptReplies<T>(ask: Ask<T>, graceMs?: number, isEnough?: (values: readonly T[]) => boolean): Promise<Reply<T>[]>;
}

/** How long an endpoint that did not answer is tried last, in ms. */
const COOL_DOWN_MS = 10_000;
const DEFAULT_GRACE_MS = 300;

/** How long another endpoint than the preferred one is read from after a failure, in ms. */
const ELSEWHERE_MS = 60_000;

/** How long one endpoint is waited for before the next is asked beside it, in ms. */
const HEDGE_MS = 1_000;

/** Endpoints in order of preference. Throws a RangeError when there is none. `now` is a clock in ms. */
export function createEndpointSet(all: readonly RpcEndpoint[], now: () => number): EndpointSet {
  if (all.length === 0) throw new RangeError('at least one RPC endpoint is required');
  const silentUntil = new Map<RpcEndpoint, number>();
  let elsewhere = { first: 0, until: 0 };
  const first = () => (elsewhere.until > now() ? elsewhere.first : 0);
  const ordered = () =>
    [...all.slice(first()), ...all.slice(0, first())].toSorted((a, b) => Number(isSilent(a)) - Number(isSilent(b)));
  const isSilent = (endpoint: RpcEndpoint) => (silentUntil.get(endpoint) ?? 0) > now();
  const markSilent = (endpoint: RpcEndpoint) => silentUntil.set(endpoint, now() + COOL_DOWN_MS);
  const reply = async <T>(endpoint: RpcEndpoint, ask: Ask<T>): Promise<Reply<T>> => {
    try {
      return { endpoint, ok: true, value: await ask(endpoint) };
    } catch (error) {
      if (error instanceof RpcUnavailableError) markSilent(endpoint);
      return { endpoint, ok: false, error };
    }
  };
  return {
    all,
    quorum: Math.min(2, all.length),
    read: (ask) => readHedged(ordered(), (endpoint) => reply(endpoint, ask), markSilent),
    preference: first,
    readElsewhere(than) {
      if (first() === than) elsewhere = { first: (than + 1) % all.length, until: now() + ELSEWHERE_MS };
    },
    everyReply: (ask) => Promise.all(all.map((endpoint) => reply(endpoint, ask))),
    promptReplies: (ask, graceMs = DEFAULT_GRACE_MS, isEnough = () => false) =>
      gather(
        all.map((endpoint) => reply(endpoint, ask)),
        graceMs,
        isEnough,
      ),
  };
}

/**
 * Asks in this order until one answers. Whoever takes longer than that is asked no more for a while, as if it had failed; its
 * answer still counts when it comes first.
 */
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
      // One that fails late was passed over already.
      else if (at === begun - 1) beginNext();
    });
  };
  beginNext();
  return result.promise;
}

async function gather<T>(
  pending: readonly Promise<Reply<T>>[],
  graceMs: number,
  isEnough: (values: readonly T[]) => boolean,
): Promise<Reply<T>[]> {
  const replies: Reply<T>[] = [];
  const [firstAnswer, enough] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const everyone = Promise.all(
    pending.map(async (one) => {
      const reply = await one;
      replies.push(reply);
      if (reply.ok) firstAnswer.resolve();
      if (isEnough(replies.flatMap((one) => (one.ok ? [one.value] : [])))) enough.resolve();
    }),
  );
  const ending = new AbortController();
  const grace = firstAnswer.promise
    .then(() => sleep(graceMs, undefined, { signal: ending.signal }))
    .catch(() => undefined);
  await Promise.race([everyone, grace, enough.promise]);
  ending.abort();
  return [...replies];
}

/** The first of what endpoints said that a quorum of them says the same of; undefined where there is none. */
export function saidByQuorum<T>(
  { quorum }: Pick<EndpointSet, 'quorum'>,
  said: readonly T[],
  isSame: (one: T, other: T) => boolean = Object.is,
): T | undefined {
  return said.find((one) => said.filter((other) => isSame(one, other)).length >= quorum);
}

/** What a quorum said of something. @throws RpcUnavailableError where that is nothing. */
export function agreedOn<T>(agreed: T | undefined, what: string): T {
  if (agreed !== undefined) return agreed;
  throw new RpcUnavailableError(`no quorum of RPC endpoints says the same of ${what}`);
}

/** The values of those that answered. @throws like `read` when none did. */
export function answersOf<T>(replies: readonly Reply<T>[]): T[] {
  const values = replies.flatMap((reply) => (reply.ok ? [reply.value] : []));
  if (values.length === 0) throw allFailed(replies.map((reply) => (reply.ok ? undefined : reply.error)));
  return values;
}

/** The same of a quorum. @throws also an RpcUnavailableError that so many of the quorum `say` it, where fewer answered; the others' errors are its cause. */
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
