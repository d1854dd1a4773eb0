import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { errorText } from '../../../domain/error-text.ts';
import type { RpcContext } from '../rpc/context.ts';
import { answer, unreadable } from '../rpc/dispatch.ts';
import { isControl } from '../rpc/methods.ts';
import { RPC_ERRORS } from '../rpc/rpc-error.ts';
import { DEFAULT_ENDPOINT, type EndpointFaults } from './faults.ts';

const MAX_BODY_BYTES = 64 * 1024 * 1024;
/** Poll interval of a hanging request, ms. */
const STALL_POLL_MS = 20;

export interface HttpParts {
  readonly contextOf: (endpoint: string) => RpcContext;
  readonly faultsOf: (endpoint: string) => EndpointFaults;
  /** ms. */
  readonly now: () => number;
}

/** Maps "/" and "/rpc" to the default, "/rpc/b" to "b"; null else. */
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
  });
  response.end(text);
}

function isControlBody(body: unknown): boolean {
  const method = typeof body === 'object' && body !== null && 'method' in body ? body.method : null;
  return typeof method === 'string' && isControl(method);
}

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
  if (request.method !== 'POST') return respond(response, 405, '{"error":"only POST"}');
  const parsed = parseJson(await readBody(request));
  if (!parsed) return respond(response, 200, unreadable(RPC_ERRORS.parse, 'Parse error'));
  if (!isControlBody(parsed.body) && !(await passesStall(parts, endpoint, response))) {
    return respond(response, 503, unreadable(RPC_ERRORS.nodeUnhealthy, 'Node is unhealthy'));
  }
  respond(response, 200, answer(parsed.body, parts.contextOf(endpoint)));
}

export function answerHttp(parts: HttpParts): RequestListener {
  return (request, response) => {
    if (request.method === 'GET' && request.url === '/health') {
      respond(response, 200, 'ok');
      return;
    }
    handle(parts, request, response).catch((error: unknown) => {
      const message = errorText(error);
      respond(response, error instanceof RangeError ? 413 : 500, unreadable(RPC_ERRORS.internal, message));
    });
  };
}
