import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { errorText } from '../../../domain/error-text.ts';
import type { RpcContext } from '../rpc/context.ts';
import { answer, unreadable } from '../rpc/dispatch.ts';
import { isControl } from '../rpc/methods.ts';
import { RPC_ERRORS } from '../rpc/rpc-error.ts';
import { DEFAULT_ENDPOINT, type EndpointFaults } from './faults.ts';

/** Largest request body, in bytes: batches of accounts for seeding are the largest. */
const MAX_BODY_BYTES = 64 * 1024 * 1024;
/** How often a request that hangs looks whether the stall was cleared, in ms. */
const STALL_POLL_MS = 20;

/** Idle connections stay open longer than clients keep them, so that none is reset as it is used again, in ms. */
const KEEP_ALIVE_MS = 75_000;

/** What the HTTP side needs to know. */
export interface HttpParts {
  readonly contextOf: (endpoint: string) => RpcContext;
  readonly faultsOf: (endpoint: string) => EndpointFaults;
  /** Unix time in ms. */
  readonly now: () => number;
}

/** The endpoint a path names: "/" and "/rpc" are the default one, "/rpc/b" is "b"; null for anything else. */
export function endpointOf(path: string): string | null {
  const [pathname = '/'] = path.split('?');
  if (pathname === '/' || pathname === '/rpc' || pathname === '/rpc/') return DEFAULT_ENDPOINT;
  return /^\/rpc\/([A-Za-z0-9_-]+)\/?$/.exec(pathname)?.[1] ?? null;
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) throw new RangeError(`request body over ${MAX_BODY_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function respond(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
    'access-control-allow-origin': '*',
    'access-control-allow-headers': '*',
    'access-control-allow-methods': 'POST, GET, OPTIONS',
  });
  response.end(text);
}

function isControlBody(body: unknown): boolean {
  const method = typeof body === 'object' && body !== null && 'method' in body ? body.method : null;
  return typeof method === 'string' && isControl(method);
}

/** Waits while an endpoint hangs. Returns false when it answers with errors instead, or the client went away. */
async function passesStall(parts: HttpParts, endpoint: string, response: ServerResponse): Promise<boolean> {
  for (;;) {
    const { stall } = parts.faultsOf(endpoint);
    if (!stall || (stall.until !== null && parts.now() >= stall.until)) return true;
    if (stall.mode === 'error' || response.destroyed) return false;
    await new Promise((resolve) => setTimeout(resolve, STALL_POLL_MS));
  }
}

function parseJson(text: string): { readonly body: unknown } | null {
  try {
    return { body: JSON.parse(text) as unknown };
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

async function handle(parts: HttpParts, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const endpoint = endpointOf(request.url ?? '/');
  if (endpoint === null) return respond(response, 404, '{"error":"no such endpoint"}');
  if (request.method === 'OPTIONS') return respond(response, 200, '');
  if (request.method !== 'POST') return respond(response, 405, '{"error":"only POST"}');
  const parsed = parseJson(await readBody(request));
  if (!parsed) return respond(response, 200, unreadable(RPC_ERRORS.parse, 'Parse error'));
  if (!isControlBody(parsed.body) && !(await passesStall(parts, endpoint, response))) {
    return respond(response, 503, unreadable(RPC_ERRORS.nodeUnhealthy, 'Node is unhealthy'));
  }
  respond(response, 200, answer(parsed.body, parts.contextOf(endpoint)));
}

/** The HTTP server of the node: POST of JSON-RPC requests; GET /health, as on any node. */
export function createHttpServer(parts: HttpParts): Server {
  return createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (request, response) => {
    if (request.method === 'GET' && request.url === '/health') {
      respond(response, 200, 'ok');
      return;
    }
    handle(parts, request, response).catch((error: unknown) => {
      const message = errorText(error);
      respond(response, error instanceof RangeError ? 413 : 500, unreadable(RPC_ERRORS.internal, message));
    });
  });
}
