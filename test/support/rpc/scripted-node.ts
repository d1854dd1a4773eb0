import { once } from 'node:events';
import { createServer } from 'node:http';

/** One JSON-RPC request as a scripted node received it. */
export interface ScriptedRequest {
  readonly id: unknown;
  readonly method: string;
  /** Those with names are one object. */
  readonly params: unknown[];
  /** The same as they were sent. */
  readonly sent?: unknown;
}

/** An answer's parts, `raw` being its whole body, or none at all. */
export type ScriptedAnswer =
  | { readonly result?: unknown; readonly error?: unknown; readonly raw?: string; readonly status?: number }
  | 'silence';

/** What a scripted node does with a request. */
export type Script = (request: ScriptedRequest) => ScriptedAnswer | Promise<ScriptedAnswer>;

/** An HTTP server whose JSON-RPC answers are forced: for faults that no healthy node shows. */
export interface ScriptedNode extends AsyncDisposable {
  readonly url: string;
  readonly requests: ScriptedRequest[];
}

function parseRequest(body: string): ScriptedRequest {
  const request: unknown = JSON.parse(body);
  if (typeof request !== 'object' || request === null || !('method' in request) || !('params' in request)) {
    throw new Error(`not a JSON-RPC request: ${body}`);
  }
  const { method, params: sent } = request;
  const id: unknown = 'id' in request ? request.id : null;
  if (typeof method !== 'string' || typeof sent !== 'object' || sent === null)
    throw new Error(`not a JSON-RPC request: ${body}`);
  return { id, method, params: Array.isArray(sent) ? sent : [sent], sent };
}

/** Starts a node on a free loopback port. */
export async function startScriptedNode(script: Script): Promise<ScriptedNode> {
  const requests: ScriptedRequest[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString('utf8')));
    request.on('end', () => {
      const parsed = parseRequest(body);
      requests.push(parsed);
      void Promise.resolve(script(parsed)).then((answer) => {
        if (answer === 'silence') return;
        const { raw, status = 200, ...envelope } = answer;
        response.writeHead(status).end(raw ?? JSON.stringify({ jsonrpc: '2.0', id: parsed.id, ...envelope }));
      });
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the scripted node has no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    requests,
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Returned by a twist: the node then answers with this error. */
export class RpcRefusal {
  readonly error: { readonly code: number; readonly message: string };

  constructor(code: number, message: string) {
    this.error = { code, message };
  }
}

/** Starts a node that hands requests on to `url` and answers what `twist` makes of the results, when it has. */
export async function startLiar(
  url: string | (() => string),
  twist: (method: string, result: unknown, params: readonly unknown[]) => unknown,
): Promise<ScriptedNode> {
  return startScriptedNode(async ({ method, params, sent }): Promise<ScriptedAnswer> => {
    const answer = await handedOn(typeof url === 'string' ? url : url(), method, sent).catch(() => null);
    // Its node is away, and so is the endpoint.
    if (answer === null) return { status: 502, raw: '' };
    if (typeof answer !== 'object' || answer === null || !('result' in answer)) return { raw: JSON.stringify(answer) };
    const result = await twist(method, answer.result, params);
    return result instanceof RpcRefusal ? { error: result.error } : { result };
  });
}

async function handedOn(url: string, method: string, params: unknown): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  return response.json();
}

/** One account or several, as a node has them that denies them. */
export function emptied(result: unknown): object {
  const { value, ...rest } = result as { value: unknown };
  return { ...rest, value: Array.isArray(value) ? value.map(() => null) : null };
}

/** Reads of accounts. */
export const ACCOUNT_READS: readonly string[] = ['getMultipleAccounts', 'getAccountInfo'];

/** A node that stands still: answers what it answered first. `methods`: only these; default: all. */
export function standingStill(methods?: readonly string[]) {
  const first = new Map<string, unknown>();
  return (method: string, result: unknown, params: readonly unknown[]): unknown => {
    if (methods?.includes(method) === false) return result;
    const question = JSON.stringify([method, params]);
    if (!first.has(question)) first.set(question, result);
    return first.get(question);
  };
}
