import { type Operations, SHAPES } from '../generated/operations.ts';
import { apiErrorOf, NoAnswerError } from './api-error.ts';
import { type BoundedResponse, fetchBounded, MOST_JSON_BYTES } from './bounded-fetch.ts';
import { differenceFrom, isRecord } from './shape.ts';

/** Method and path, as `GET /tokens/{mint}`. */
export type OperationName = keyof Operations;

/** `data` of a success. */
export type Answer<Name extends OperationName> = Operations[Name]['data'];

type PathNames<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathNames<Rest>
  : never;

type PathPart<Name extends string> = [PathNames<Name>] extends [never]
  ? { readonly path?: undefined }
  : { readonly path: Readonly<Record<PathNames<Name>, string>> };
type QueryPart<Query> = Query extends undefined ? { readonly query?: undefined } : { readonly query?: Query };
type BodyPart<Body> = Body extends undefined ? { readonly body?: undefined } : { readonly body: Body };

/** `path` for the names in its path, `query`, `body`. */
export type Request<Name extends OperationName> = PathPart<Name> &
  QueryPart<Operations[Name]['query']> &
  BodyPart<Operations[Name]['body']> & { readonly signal?: AbortSignal };

/** Arguments of a request, optional where it has none. */
type Asked<Name extends OperationName> =
  Record<string, never> extends Request<Name> ? [Request<Name>?] : [Request<Name>];

export interface Api {
  /** Without a trailing slash. */
  readonly url: string;
  /** Returns `data`. Rejects with an ApiError, or a NoAnswerError without a response of the API. */
  ask<Name extends OperationName>(name: Name, ...request: Asked<Name>): Promise<Answer<Name>>;
}

export interface ApiOptions {
  /** Ends in `/api/public/v1`. */
  readonly url: string;
  /** `x-admin-password` allows launches that only admins may make. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Default: the runtime's own. */
  readonly fetch?: typeof fetch;
  /** Default 60,000: a submit waits up to 30 s. */
  readonly timeoutMs?: number;
}

interface AnyRequest {
  readonly path?: Readonly<Record<string, string>> | undefined;
  readonly query?: object | undefined;
  readonly body?: object | undefined;
  readonly signal?: AbortSignal;
}

/** Throws a TypeError unless the URL is http or https. */
export function createApi(options: ApiOptions): Api {
  const url = rootOf(options.url);
  return {
    url,
    async ask<Name extends OperationName>(name: Name, ...[request = {}]: [AnyRequest?]) {
      const data: unknown = await dataOf(name, await send({ ...options, url }, name, request));
      if (isAnswer(name, data)) return data;
      throw new NoAnswerError(`${name} answered what this client does not know: ${differenceIn(name, data)}`);
    },
  };
}

function rootOf(text: string): string {
  const { protocol, href } = new URL(text);
  if (protocol !== 'http:' && protocol !== 'https:') throw new TypeError(`"${text}" is no http or https URL`);
  return href.replace(/\/+$/, '');
}

async function send(options: ApiOptions, name: string, request: AnyRequest): Promise<BoundedResponse> {
  const { headers, fetch: fetchWith, timeoutMs = 60_000 } = options;
  const [method = ''] = name.split(' ');
  const init = {
    method,
    headers: { accept: 'application/json', ...(request.body && { 'content-type': 'application/json' }), ...headers },
    ...(request.body && { body: JSON.stringify(request.body) }),
    ...(request.signal && { signal: request.signal }),
  };
  const bounds = { maxBytes: MOST_JSON_BYTES, timeoutMs, ...(fetchWith && { fetch: fetchWith }) };
  try {
    return await fetchBounded(addressOf(options.url, name, request), init, bounds);
  } catch (cause) {
    request.signal?.throwIfAborted();
    throw new NoAnswerError(`${name} of ${options.url} did not answer`, cause);
  }
}

function addressOf(root: string, name: string, { path = {}, query = {} }: AnyRequest): string {
  const filled = name
    .slice(name.indexOf('/'))
    .replaceAll(/\{(\w+)\}/g, (_, key: string) => encodeURIComponent(path[key] ?? ''));
  const search = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) if (value !== undefined) search.set(key, String(value));
  return `${root}${filled}${search.size === 0 ? '' : `?${search.toString()}`}`;
}

async function dataOf(name: string, response: BoundedResponse): Promise<unknown> {
  const body = await jsonOf(name, response);
  if (response.ok && isRecord(body)) return body['data'];
  const error = apiErrorOf(response.status, response.headers, body);
  if (error) throw error;
  throw new NoAnswerError(`${name} was answered ${response.status} by something that is not the API`);
}

async function jsonOf(name: string, response: BoundedResponse): Promise<unknown> {
  try {
    return await response.json();
  } catch (cause) {
    const why = cause instanceof RangeError ? `: ${cause.message}` : '';
    throw new NoAnswerError(`${name} was answered ${response.status} without JSON${why}`, cause);
  }
}

function isAnswer<Name extends OperationName>(name: Name, data: unknown): data is Answer<Name> {
  return differenceIn(name, data) === null;
}

function differenceIn(name: OperationName, data: unknown): string | null {
  return differenceFrom(SHAPES[name], data, 'data');
}
