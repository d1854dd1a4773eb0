import { type RawData, type WebSocket, WebSocketServer } from 'ws';
import { errorText } from '../../../domain/error-text.ts';
import type { UpgradeListener } from '../../local-server.ts';
import { toJson } from '../encoding/json.ts';
import { readRequest, type RpcRequest } from '../rpc/dispatch.ts';
import { RPC_ERRORS, RpcError } from '../rpc/rpc-error.ts';
import type { ChainView } from '../server/view.ts';
import type { Subscription, SubscriptionHub } from './hub.ts';
import { SUBSCRIPTIONS } from './subscriptions.ts';

const MAX_MESSAGE_BYTES = 1024 * 1024;

class Connection {
  readonly #socket: WebSocket;
  readonly #view: ChainView;
  readonly #hub: SubscriptionHub;
  readonly #nextId: () => number;
  readonly #subscriptions = new Map<number, Subscription>();

  constructor(socket: WebSocket, view: ChainView, hub: SubscriptionHub, nextId: () => number) {
    this.#socket = socket;
    this.#view = view;
    this.#hub = hub;
    this.#nextId = nextId;
    socket.on('message', (data) => this.#receive(data));
    socket.on('close', () => this.#end());
    socket.on('error', () => socket.terminate());
  }

  #send(message: object): void {
    if (this.#socket.readyState === this.#socket.OPEN) this.#socket.send(toJson({ jsonrpc: '2.0', ...message }));
  }

  #receive(data: RawData): void {
    let id: RpcRequest['id'] = null;
    try {
      const request = readRequest(JSON.parse(Buffer.isBuffer(data) ? data.toString('utf8') : '') as unknown);
      id = request.id;
      // rpc-websockets sends "ping" as keep-alive.
      if (request.method === 'ping' && id === null) return;
      this.#send({ result: this.#answer(request), id });
    } catch (error) {
      this.#send({ error: this.#errorJson(error), id });
    }
  }

  #errorJson(error: unknown): { code: number; message: string } {
    if (error instanceof RpcError) return { code: error.code, message: error.message };
    if (error instanceof SyntaxError) return { code: RPC_ERRORS.parse, message: 'Parse error' };
    return { code: RPC_ERRORS.internal, message: errorText(error) };
  }

  #answer({ method, params }: RpcRequest): unknown {
    const [, name = '', action] = /^([a-z]+)(Subscribe|Unsubscribe)$/.exec(method) ?? [];
    const subscribe = SUBSCRIPTIONS.get(name);
    if (!subscribe) throw new RpcError(RPC_ERRORS.methodNotFound, 'Method not found');
    if (action === 'Unsubscribe') return this.#unsubscribe(params[0]);
    const subscription = this.#nextId();
    const notify = (result: unknown, last = false): void => {
      if (!this.#subscriptions.has(subscription)) return;
      if (last) this.#drop(subscription);
      this.#send({ method: `${name}Notification`, params: { result, subscription } });
    };
    const made = subscribe(params, this.#view, notify);
    this.#subscriptions.set(subscription, made);
    this.#hub.add(made);
    return subscription;
  }

  #unsubscribe(id: unknown): true {
    if (typeof id !== 'number' || !this.#subscriptions.has(id)) {
      throw new RpcError(RPC_ERRORS.invalidParams, 'Invalid subscription id.');
    }
    this.#drop(id);
    return true;
  }

  #drop(id: number): void {
    const subscription = this.#subscriptions.get(id);
    if (subscription) this.#hub.remove(subscription);
    this.#subscriptions.delete(id);
  }

  #end(): void {
    for (const id of this.#subscriptions.keys()) this.#drop(id);
  }
}

export function openWebsocket(view: ChainView, hub: SubscriptionHub): { upgrade: UpgradeListener; close: () => void } {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: MAX_MESSAGE_BYTES });
  let lastId = 0;
  const nextId = (): number => (lastId += 1);
  return {
    upgrade: (request, socket, head) => {
      sockets.handleUpgrade(request, socket, head, (client) => new Connection(client, view, hub, nextId));
    },
    close: () => {
      for (const client of sockets.clients) client.terminate();
      sockets.close();
    },
  };
}
