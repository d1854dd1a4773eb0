import { once } from 'node:events';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { signatureOf, SOL, someone, startChain, type TestChain, transfer } from '../../support/dev/localnet-chain.ts';

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly result?: unknown;
  readonly error?: { readonly code: number };
  readonly params?: { readonly result: unknown; readonly subscription: number };
}

/** A websocket client that keeps every message it gets. */
class Listener {
  readonly #socket: WebSocket;
  readonly messages: Message[] = [];

  constructor(url: string) {
    this.#socket = new WebSocket(url);
    this.#socket.on('message', (data: Buffer) => this.messages.push(JSON.parse(data.toString()) as Message));
  }

  async ask(method: string, params: unknown[]): Promise<Message> {
    if (this.#socket.readyState !== WebSocket.OPEN) await once(this.#socket, 'open');
    const id = this.messages.length + 1000;
    this.#socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
    return this.next((message) => message.id === id);
  }

  async next(matches: (message: Message) => boolean): Promise<Message> {
    for (;;) {
      const found = this.messages.find(matches);
      if (found) return found;
      await once(this.#socket, 'message');
    }
  }

  notification(name: string): Promise<unknown> {
    return this.next(({ method }) => method === `${name}Notification`).then(({ params }) => params?.result);
  }

  close(): void {
    this.#socket.terminate();
  }
}

let chain: TestChain;
let listener: Listener;
beforeEach(async () => {
  chain = await startChain();
  listener = new Listener(chain.node.wsUrl);
});
afterEach(async () => {
  listener.close();
  await chain.node.close();
});

test('the websocket is served on the RPC port too', async () => {
  const other = new Listener(chain.node.rpcUrl.replace('http', 'ws'));
  expect((await other.ask('slotSubscribe', [])).result).toBeTypeOf('number');
  other.close();
});

test('a signature is told of when it reaches the commitment, and once', async () => {
  const transaction = await chain.sign([transfer(chain.wallet, someone(), SOL)]);
  await listener.ask('signatureSubscribe', [signatureOf(transaction), { commitment: 'confirmed' }]);
  await chain.land(transaction);
  expect(listener.messages.filter(({ method }) => method)).toEqual([]);
  chain.advance(3);
  expect(await listener.notification('signature')).toMatchObject({ value: { err: null } });
  await chain.call('getSlot');
  expect(listener.messages.filter(({ method }) => method)).toHaveLength(1);
});

test('a signature that landed before the subscription is told of at once', async () => {
  const signature = await chain.run([transfer(chain.wallet, someone(), SOL)]);
  await listener.ask('signatureSubscribe', [signature, { commitment: 'confirmed' }]);
  expect(await listener.notification('signature')).toMatchObject({ value: { err: null } });
});

test('an account is told of at its commitment', async () => {
  const to = someone();
  await listener.ask('accountSubscribe', [to.toBase58(), { commitment: 'processed', encoding: 'base64' }]);
  await chain.land(await chain.sign([transfer(chain.wallet, to, SOL)]));
  expect(await listener.notification('account')).toMatchObject({ value: { lamports: Number(SOL) } });
});

test('logs are told of for the mentioned address only', async () => {
  const to = someone();
  await listener.ask('logsSubscribe', [{ mentions: [to.toBase58()] }, { commitment: 'confirmed' }]);
  await chain.run([transfer(chain.wallet, someone(), SOL)]);
  const signature = await chain.run([transfer(chain.wallet, to, SOL)]);
  expect(await listener.notification('logs')).toMatchObject({ value: { signature, err: null } });
});

test('accounts of a program are told of when they pass the filters', async () => {
  const to = someone();
  const system = '11111111111111111111111111111111';
  await listener.ask('programSubscribe', [
    system,
    { commitment: 'confirmed', encoding: 'base64', filters: [{ dataSize: 0 }] },
  ]);
  await chain.run([transfer(chain.wallet, to, SOL)]);
  const isNew = ({ params }: Message): boolean => JSON.stringify(params ?? {}).includes(to.toBase58());
  expect((await listener.next(isNew)).method).toBe('programNotification');
});

test('slots and roots are told of as they come', async () => {
  await listener.ask('slotSubscribe', []);
  await listener.ask('rootSubscribe', []);
  chain.advance(40);
  expect(await listener.notification('slot')).toMatchObject({
    slot: expect.any(Number) as number,
    parent: expect.any(Number) as number,
  });
  expect(await listener.notification('root')).toBeTypeOf('number');
});

test('nothing is told after an unsubscribe', async () => {
  const { result } = await listener.ask('slotSubscribe', []);
  expect((await listener.ask('slotUnsubscribe', [result])).result).toBe(true);
  chain.advance(2);
  expect((await listener.ask('slotUnsubscribe', [result])).error?.code).toBe(-32602);
  expect(listener.messages.filter(({ method }) => method)).toEqual([]);
});

test('a subscription that does not exist is refused', async () => {
  expect((await listener.ask('voteSubscribe', [])).error?.code).toBe(-32601);
});
