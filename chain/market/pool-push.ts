import { setTimeout as sleep } from 'node:timers/promises';
import Type from 'typebox';
import { Compile } from 'typebox/compile';
import { messageIn } from '../rpc/websocket-message.ts';
import { SubscriptionBook } from './subscription-book.ts';

/** Where changes are heard of, and who wants to know. */
export interface PoolPushDeps {
  /** Solana websocket endpoint. */
  readonly url: string;
  /** Pools to listen to now, base58; asked again every few seconds. */
  readonly pools: () => Promise<readonly string[]>;
  /** Called when the account of a pool changed, confirmed. */
  readonly onChange: (pool: string) => void;
  readonly onTrouble: (error: unknown) => void;
  readonly refreshMs?: number;
  /** A connection that says nothing for so long is a dead one, ms. */
  readonly silenceMs?: number;
}

/** How often the list of pools is brought up to date, ms. */
const REFRESH_MS = 3_000;
/** Slots are notified several times a second, so silence means that the connection is gone. */
const SILENCE_MS = 15_000;
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;

/**
 * Listens to pools over a websocket until `signal` fires, and connects again whenever the connection ends, with growing
 * pauses. What is missed meanwhile is found by whoever polls: a push is a hint and no more. Never rejects.
 */
export async function listenToPools(deps: PoolPushDeps, signal: AbortSignal): Promise<void> {
  let pauseMs = FIRST_PAUSE_MS;
  while (!signal.aborted) {
    const heard = await session(deps, signal).catch((error: unknown) => {
      deps.onTrouble(error);
      return false;
    });
    pauseMs = heard ? FIRST_PAUSE_MS : Math.min(2 * pauseMs, LONGEST_PAUSE_MS);
    await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
  }
}

const MessageSchema = Type.Union([
  Type.Object({ id: Type.Integer(), result: Type.Integer() }),
  Type.Object({ id: Type.Integer(), result: Type.Boolean() }),
  Type.Object({ id: Type.Integer(), error: Type.Object({ message: Type.String() }) }),
  Type.Object({ method: Type.String(), params: Type.Object({ subscription: Type.Integer() }) }),
]);
const Message = Compile(MessageSchema);

/** One connection, until it ends. Answers whether anything was heard on it; rejects when it broke. */
async function session(deps: PoolPushDeps, signal: AbortSignal): Promise<boolean> {
  const socket = new WebSocket(deps.url);
  const book = new SubscriptionBook((request) => socket.send(JSON.stringify(request)));
  const ended = Promise.withResolvers<void>();
  let lastHeard = performance.now();
  let heard = false;
  const close = (): void => socket.close();
  signal.addEventListener('abort', close, { once: true });
  socket.addEventListener('close', () => ended.resolve());
  socket.addEventListener('error', () => ended.reject(new Error(`the websocket ${hostOf(deps.url)} broke`)));
  socket.addEventListener('message', ({ data }) => {
    [lastHeard, heard] = [performance.now(), true];
    const message = messageIn(Message, String(data));
    if (message === null) return;
    if ('error' in message) deps.onTrouble(new Error(`a subscription was refused: ${message.error.message}`));
    else if ('id' in message) book.noteAnswer(message.id, message.result);
    else if (message.method === 'accountNotification') notify(deps, book, message.params.subscription);
  });
  const watch = watchOver(deps, socket, book, () => performance.now() - lastHeard);
  try {
    await ended.promise;
    return heard;
  } finally {
    clearInterval(watch);
    signal.removeEventListener('abort', close);
    socket.close();
  }
}

function notify({ onChange }: PoolPushDeps, book: SubscriptionBook, subscription: number): void {
  const pool = book.poolOf(subscription);
  if (pool !== undefined) onChange(pool);
}

/** Keeps the subscriptions up to date, and ends a connection that says nothing any more or never opened. */
function watchOver(
  { pools, onTrouble, refreshMs = REFRESH_MS, silenceMs = SILENCE_MS }: PoolPushDeps,
  socket: WebSocket,
  book: SubscriptionBook,
  silentMs: () => number,
): NodeJS.Timeout {
  const refresh = async (): Promise<void> => {
    if (silentMs() > silenceMs) return socket.close();
    if (socket.readyState !== WebSocket.OPEN) return;
    const wanted = await pools();
    if (socket.readyState === WebSocket.OPEN) book.update(wanted);
  };
  const refreshSafely = (): void => void refresh().catch(onTrouble);
  socket.addEventListener('open', refreshSafely);
  return setInterval(refreshSafely, refreshMs);
}

/** A provider's key sits in the path or query and must not get into a log. */
function hostOf(url: string): string {
  return new URL(url).host;
}
