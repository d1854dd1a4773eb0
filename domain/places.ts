/** A client that asks for work. If it is gone, the work does not begin. */
export interface Asker {
  readonly client: string;
  readonly gone?: AbortSignal | undefined;
}

export interface PlaceLimits {
  /** Places that all clients hold at most. */
  readonly inAll: number;
  /** Places that one client holds at most; absent: all. */
  readonly perClient?: number;
  /** Requests for a place that wait at most; absent: any number. One more displaces the last of the client that asks for most. */
  readonly mostWaiting?: number;
  /** Longest wait for a place, ms; absent: any. */
  readonly patienceMs?: number;
}

/** The limit that keeps a place from a client. */
export type UsedUp = 'perClient' | 'inAll';

/** Places for work that runs at once, shared among clients. */
export interface Places {
  /** Resolves with the function that gives the place back. Rejects if no place comes free, or the asker is gone. */
  hold(asker: Asker): Promise<() => void>;
  /** Holds a place during the work. */
  take<Result>(asker: Asker, work: () => Promise<Result>): Promise<Result>;
}

/** No place is given to an asker that is gone. */
export class GoneError extends Error {
  constructor() {
    super('the asker is gone');
  }
}

/** Work for the process itself, not for one of its clients. */
export const OURSELVES: Asker = { client: '' };

/** A place that was held for so long counts against its client ten times as long. */
const COUNTS_TIMES = 10;

interface Waiting {
  readonly begin: () => void;
  readonly refuse: (reason: Error) => void;
}

/**
 * A free place goes to the client that holds the fewest; of equal ones to the client that used places for the least time
 * lately; then in turns. So no client waits longer because another asks for more.
 *
 * @param refusal the error for an asker that gets no place
 */
export function createPlaces(
  { inAll, perClient = inAll, mostWaiting = Infinity, patienceMs }: PlaceLimits,
  refusal: (usedUp: UsedUp) => Error = (usedUp) => new Error(`no place is free (${usedUp})`),
  now: () => number = () => performance.now(),
): Places {
  const held = new Map<string, number>();
  /** Until when the time counts that clients used places for. */
  const counts = new Map<string, number>();
  /** Clients in the order of their turns. */
  const waiting = new Map<string, Waiting[]>();
  let [taken, queued] = [0, 0];

  const heldBy = (client: string) => held.get(client) ?? 0;
  const usedBy = (client: string) => Math.max(0, (counts.get(client) ?? 0) - now());
  const asksLess = (a: string, b: string) => heldBy(a) - heldBy(b) || usedBy(a) - usedBy(b);

  function begin(client: string): () => void {
    const since = now();
    taken += 1;
    held.set(client, heldBy(client) + 1);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      end(client, since);
    };
  }

  function end(client: string, since: number): void {
    taken -= 1;
    if (heldBy(client) > 1) held.set(client, heldBy(client) - 1);
    else held.delete(client);
    counts.set(client, now() + usedBy(client) + (now() - since) * COUNTS_TIMES);
    for (const [other, until] of counts) if (until <= now()) counts.delete(other);
    beginNext();
  }

  function beginNext(): void {
    if (taken >= inAll) return;
    const [client] = [...waiting.keys()].filter((one) => heldBy(one) < perClient).sort(asksLess);
    const next = client === undefined ? undefined : waiting.get(client)?.[0];
    if (client === undefined || next === undefined) return;
    leave(client, next);
    // Behind the others that ask for as much.
    const later = waiting.get(client);
    if (later !== undefined && waiting.delete(client)) waiting.set(client, later);
    next.begin();
  }

  function leave(client: string, one: Waiting): void {
    const left = waiting.get(client)?.filter((other) => other !== one) ?? [];
    queued -= 1;
    if (left.length > 0) waiting.set(client, left);
    else waiting.delete(client);
  }

  function usedUp(client: string): Error {
    return refusal(heldBy(client) >= perClient ? 'perClient' : 'inAll');
  }

  function refuseOne(): void {
    const length = (client: string) => waiting.get(client)?.length ?? 0;
    const [client = ''] = [...waiting.keys()].reverse().sort((a, b) => length(b) - length(a) || asksLess(b, a));
    waiting.get(client)?.at(-1)?.refuse(usedUp(client));
  }

  function queue({ client, gone }: Asker): Promise<() => void> {
    return new Promise((resolve, reject) => {
      const refuse = (reason: Error) => {
        leave(client, one);
        stop();
        reject(reason);
      };
      const one: Waiting = {
        begin: () => {
          stop();
          resolve(begin(client));
        },
        refuse,
      };
      const onGone = () => refuse(new GoneError());
      const timer = patienceMs === undefined ? undefined : setTimeout(() => refuse(usedUp(client)), patienceMs);
      const stop = () => {
        clearTimeout(timer);
        gone?.removeEventListener('abort', onGone);
      };
      gone?.addEventListener('abort', onGone);
      waiting.set(client, [...(waiting.get(client) ?? []), one]);
      queued += 1;
      if (queued > mostWaiting) refuseOne();
    });
  }

  /** At once where a place is free, so that the work begins before its caller goes on. */
  function claim(asker: Asker): (() => void) | Promise<() => void> {
    if (asker.gone?.aborted === true) throw new GoneError();
    const isFree = taken < inAll && heldBy(asker.client) < perClient;
    return isFree ? begin(asker.client) : queue(asker);
  }

  return {
    hold: async (asker) => claim(asker),
    async take(asker, work) {
      const claimed = claim(asker);
      const giveBack = typeof claimed === 'function' ? claimed : await claimed;
      try {
        return await work();
      } finally {
        giveBack();
      }
    },
  };
}
