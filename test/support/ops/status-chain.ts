import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import type { AddressInfo } from 'node:net';
import Type from 'typebox';
import { Value } from 'typebox/value';

const RequestSchema = Type.Object({ id: Type.Union([Type.String(), Type.Number()]), method: Type.String() });

/** An endpoint of a chain on which every wallet has these lamports and nothing else; what is not POSTed is answered 200, as by a process that is ready. */
export async function serveBalances(lamports: () => number) {
  const answers: Record<string, () => unknown> = {
    getHealth: () => 'ok',
    getBalance: () => ({ context: { slot: 1 }, value: lamports() }),
    getAccountInfo: () => ({ context: { slot: 1 }, value: null }),
  };
  const server = createServer((request, response) => {
    if (request.method !== 'POST') return void response.end();
    void text(request).then((body) => {
      const { id, method } = Value.Parse(RequestSchema, JSON.parse(body));
      response.end(JSON.stringify({ jsonrpc: '2.0', id, result: answers[method]?.() }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, close: () => server.close() };
}
