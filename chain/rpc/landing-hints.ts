import Type, { type Static } from 'typebox';
import { Compile } from 'typebox/compile';
import { messageIn } from './websocket-message.ts';

/**
 * Notifications of landed transactions over one websocket per process: hints, upon which the caller reads the chain.
 */
export interface LandingHints {
  /** Calls `onHeard` when the transaction (base58) is in a confirmed block. */
  listen(signature: string, onHeard: () => void): Listening;
  close(): void;
}

export interface Listening {
  /** Subscribed and not yet notified: the caller may poll less. */
  readonly isLive: () => boolean;
  readonly stop: () => void;
}

export interface HintSource {
  readonly url: string;
  readonly onTrouble: (error: Error) => void;
}

/** ms; launches come in bursts. */
const IDLE_MS = 30_000;

/** Pause after a failed connection, ms. */
const PAUSE_MS = 5_000;

interface Subscription {
  readonly signature: string;
  readonly onHeard: () => void;
  number: number | null;
}

const MessageSchema = Type.Union([
  Type.Object({ id: Type.Integer(), result: Type.Integer() }),
  Type.Object({
    method: Type.Literal('signatureNotification'),
    params: Type.Object({ subscription: Type.Integer() }),
  }),
]);
const Message = Compile(MessageSchema);

/** Connects on demand, with a pause after failures. Never throws: without hints landings are noticed later. */
export function createLandingHints({ url, onTrouble }: HintSource): LandingHints {
  const subscriptions = new Map<number, Subscription>();
  let socket: WebSocket | undefined;
  let idle: NodeJS.Timeout | undefined;
  let [nextId, notBefore] = [1, 0];

  const send = (method: string, id: number, params: readonly unknown[]): void => {
    if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
  };
  const subscribe = (id: number, { signature }: Subscription): void =>
    send('signatureSubscribe', id, [signature, { commitment: 'confirmed' }]);
  const forget = (): void => {
    socket = undefined;
    for (const subscription of subscriptions.values()) subscription.number = null;
  };
  const open = (): void => {
    if (socket !== undefined || performance.now() < notBefore) return;
    const opened = new WebSocket(url);
    socket = opened;
    let wasOpen = false;
    opened.addEventListener('open', () => {
      wasOpen = true;
      subscriptions.forEach((subscription, id) => subscribe(id, subscription));
    });
    opened.addEventListener('message', ({ data }) => take(messageIn(Message, String(data))));
    opened.addEventListener('close', () => socket === opened && forget());
    const broke = (): void => {
      // A closed connection may still emit events.
      if (socket !== opened) return;
      if (!wasOpen) notBefore = performance.now() + PAUSE_MS;
      onTrouble(new Error(`the websocket ${new URL(url).host} broke; landings are noticed by asking`));
    };
    opened.addEventListener('error', broke, { once: true });
  };
  const take = (message: Static<typeof MessageSchema> | null): void => {
    if (message === null) return;
    if ('id' in message) {
      const subscription = subscriptions.get(message.id);
      if (subscription) subscription.number = message.result;
      return;
    }
    for (const [id, { number, onHeard }] of subscriptions) {
      if (number !== message.params.subscription) continue;
      // The endpoint ends it with its single notification.
      subscriptions.delete(id);
      onHeard();
    }
  };
  const close = (): void => {
    clearTimeout(idle);
    const opened = socket;
    forget();
    opened?.close();
  };
  return {
    listen(signature, onHeard) {
      const [id, subscription] = [nextId++, { signature, onHeard, number: null } as Subscription];
      subscriptions.set(id, subscription);
      clearTimeout(idle);
      open();
      subscribe(id, subscription);
      return {
        isLive: () => subscription.number !== null && subscriptions.has(id),
        stop() {
          if (subscriptions.delete(id) && subscription.number !== null) {
            send('signatureUnsubscribe', nextId++, [subscription.number]);
          }
          if (subscriptions.size === 0) {
            clearTimeout(idle);
            idle = setTimeout(close, IDLE_MS).unref();
          }
        },
      };
    },
    close() {
      subscriptions.clear();
      close();
    },
  };
}

/** Hints that never notify. */
export const NO_HINTS: LandingHints = {
  listen: () => ({ isLive: () => false, stop: () => undefined }),
  close: () => undefined,
};
