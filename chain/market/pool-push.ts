import { setTimeout as sleep } from 'node:timers/promises';
import Type from 'typebox';
import { Compile } from 'typebox/compile';
import { messageIn } from '../rpc/websocket-message.ts';
import { SubscriptionBook } from './subscription-book.ts';

export interface PoolPushDeps {
  readonly url: string;
  /** base58; read again every few seconds. */
  readonly pools: () => Promise<readonly string[]>;
  /** At `confirmed`. */
  readonly onChange: (pool: string) => void;
  readonly onTrouble: (error: unknown) => void;
  readonly refreshMs?: number;
  /** Then the connection is dead. */
  readonly silenceMs?: number;
}

const REFRESH_MS = 3_000;
/** Slots arrive several times a second: silence means a lost connection. */
const SILENCE_MS = 15_000;
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;

/**
 * Listens until `signal` aborts; reconnects with growing pauses. A hint: polling finds what it misses. Never rejects.
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

/** Runs one connection; returns whether it received anything. Rejects if the connection broke. */
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

/** Ends a connection that never opened or went silent. */
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

/** Returns the host alone, because path or query may hold a provider's key. */
function hostOf(url: string): string {
  return new URL(url).host;
}
