import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import type { AddressInfo } from 'node:net';
import Type from 'typebox';
import { Value } from 'typebox/value';

const RequestSchema = Type.Object({ id: Type.String(), params: Type.Array(Type.Unknown()) });

/** An RPC endpoint that knows these accounts (address → owner and bytes), and answers 400 to what asks for something else. */
export async function serveAccounts(accounts: ReadonlyMap<string, { owner: string; data: Uint8Array }>) {
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const asked: unknown = JSON.parse(body);
      if (!Value.Check(RequestSchema, asked)) {
        response.writeHead(400).end();
        return;
      }
      const { id, params } = asked;
      const account = accounts.get(String(params[0]));
      const value = account && {
        owner: account.owner,
        data: [Buffer.from(account.data).toString('base64'), 'base64'],
        lamports: 1,
        executable: false,
        rentEpoch: 0,
      };
      response.end(JSON.stringify({ jsonrpc: '2.0', id, result: { context: { slot: 1 }, value: value ?? null } }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, close: () => server.close() };
}
