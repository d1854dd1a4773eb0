import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { errorText } from '../../domain/error-text.ts';
import { parseExactJson } from './exact-json.ts';

export interface Shape<T> {
  Check(value: unknown): value is T;
  Errors(value: unknown): { readonly instancePath: string; readonly message: string }[];
}

export class RpcAnswerError extends Error {
  readonly code: number;
  readonly data: unknown;

  constructor(message: string, code: number, data: unknown) {
    super(message);
    this.name = 'RpcAnswerError';
    this.code = code;
    this.data = data;
  }
}

/**
 * The endpoint is unreachable, slow, overloaded, behind the cluster, or its response malformed. The call may have taken
 * effect.
 */
export class RpcUnavailableError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'RpcUnavailableError';
  }
}

/** Returns the error for what other evidence proves: the endpoint is behind, or a fork took it. */
export function unseen(what: string): RpcUnavailableError {
  return new RpcUnavailableError(`an RPC endpoint has not seen ${what}`);
}

export type RpcParams = readonly unknown[] | Readonly<Record<string, unknown>>;

export interface RpcEndpoint {
  /** Index and host; never path or query, which hold the provider's key. */
  readonly name: string;
  readonly url: string;
  /** @throws RpcAnswerError or RpcUnavailableError */
  call<T>(method: string, params: readonly unknown[], result: Shape<T>, timeoutMs?: number): Promise<T>;
  /**
   * Calls for long responses: `read` parses the whole response and returns an AnsweredError for one with an error. If
   * it throws, the response is malformed.
   *
   * @throws RpcAnswerError or RpcUnavailableError
   */
  callFor<T>(
    method: string,
    params: RpcParams,
    read: (answer: Uint8Array<ArrayBuffer>) => Promise<T | AnsweredError>,
  ): Promise<T>;
}

export interface AnsweredError {
  readonly code: number;
  readonly message: string;
}

export interface EndpointOptions {
  readonly url: string;
  readonly index: number;
  readonly timeoutMs: number;
  readonly fetch: typeof fetch;
}

const Envelope = Compile(
  Type.Object({
    result: Type.Optional(Type.Unknown()),
    error: Type.Optional(
      Type.Object({ code: Type.Number(), message: Type.String(), data: Type.Optional(Type.Unknown()) }),
    ),
  }),
);

/**
 * Error codes of an endpoint that may answer later. A node behind the cluster: JSON_RPC_SERVER_ERROR_NODE_UNHEALTHY of
 * agave's rpc-client-api. Rate limits, which providers also send with HTTP 200: 429, and -32429 of Helius.
 */
export const TURNED_AWAY: readonly number[] = [-32_005, 429, -32_429];

/** True if rate limited, or unavailable. */
function isTurnedAway(status: number): boolean {
  return status === 429 || (status > 500 && status < 600);
}

/** Calls by HTTP POST (https://www.jsonrpc.org/specification). */
export function createEndpoint(options: EndpointOptions): RpcEndpoint {
  const name = `rpc[${options.index}] ${new URL(options.url).host}`;
  const bytesOf = (method: string, params: RpcParams, timeoutMs: number) =>
    post(options, timeoutMs, { jsonrpc: '2.0', id: 1, method, params }).catch((cause: unknown) => {
      throw new RpcUnavailableError(`${name} did not answer ${method}: ${reasonOf(cause)}`, { cause });
    });
  return {
    name,
    url: options.url,
    async call(method, params, result, timeoutMs = options.timeoutMs) {
      const text = (await bytesOf(method, params, timeoutMs)).toString();
      const where = `${method} at ${name}`;
      const answer = checked(parseExactly(text, where), Envelope, where);
      if (answer.error) throw refused(where, answer.error);
      return checked(answer.result, result, where);
    },
    async callFor(method, params, read) {
      const bytes = await bytesOf(method, params, options.timeoutMs);
      const where = `${method} at ${name}`;
      const answer = await read(new Uint8Array(bytes.buffer)).catch((cause: unknown) => {
        throw new RpcUnavailableError(`${where} answered an unexpected shape: ${reasonOf(cause)}`, { cause });
      });
      if (isError(answer)) throw refused(where, answer);
      return answer;
    },
  };
}

function isError<T>(answer: T | AnsweredError): answer is AnsweredError {
  return typeof answer === 'object' && answer !== null && 'code' in answer;
}

function refused(where: string, { code, message, data }: AnsweredError & { readonly data?: unknown }): Error {
  const problem = `${where}: ${message}`;
  return TURNED_AWAY.includes(code) ? new RpcUnavailableError(problem) : new RpcAnswerError(problem, code, data);
}

async function post(options: EndpointOptions, timeoutMs: number, request: object): Promise<Buffer<ArrayBuffer>> {
  const response = await options.fetch(options.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(request),
    signal: AbortSignal.timeout(timeoutMs),
  });
  const bytes = Buffer.from(await response.arrayBuffer());
  // Some nodes return JSON-RPC errors with an HTTP error status.
  if (isTurnedAway(response.status) || (!response.ok && !bytes.includes('"error"')))
    throw new Error(`HTTP ${response.status}: ${bytes.toString('utf8', 0, 200)}`);
  return bytes;
}

/** Returns the cause's reason: `fetch` only says "fetch failed". */
function reasonOf(error: unknown): string {
  return errorText(error instanceof Error && error.cause instanceof Error ? error.cause : error);
}

function parseExactly(text: string, where: string): unknown {
  try {
    return parseExactJson(text);
  } catch (cause) {
    throw new RpcUnavailableError(`${where} did not answer JSON: ${text.slice(0, 100)}`, { cause });
  }
}

function checked<T>(value: unknown, shape: Shape<T>, where: string): T {
  if (shape.Check(value)) return value;
  const [first] = shape.Errors(value);
  throw new RpcUnavailableError(
    `${where} answered an unexpected shape: ${first?.instancePath ?? ''} ${first?.message ?? ''}`,
  );
}
