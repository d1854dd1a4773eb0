import Type from 'typebox';
import { Compile } from 'typebox/compile';
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, interceptors, request } from 'undici';
import { errorText } from '../../../domain/error-text.ts';
import { AppError } from '../../../domain/errors.ts';
import type { PermanentStore, StoredType } from '../permanent-store.ts';
import { type DataItem, signDataItem } from './data-item.ts';

export interface ArweaveStoreOptions {
  /** `POST {bundlerUrl}/tx`; no trailing slash. */
  readonly bundlerUrl: string;
  /** Begin of permanent URIs. */
  readonly gatewayUrl: string;
  /** Only signs uploads and holds upload credit. */
  readonly secretKey: Uint8Array;
  /** Default 15,000. */
  readonly servedWithinMs?: number;
}

/** The longest URI that fits every mint transaction (docs/launch-costs.md). */
const MAX_URI_BYTES = 109;

/** 32 bytes in base64url. */
const ID_LENGTH = 43;

/** A quote's blockhash lives about a minute. */
const SERVED_WITHIN_MS = 15_000;

const LOOK_EVERY_MS = 500;

/** Gateways redirect to the item's subdomain. */
const readers = new Agent().compose(interceptors.redirect({ maxRedirections: 3 }));

const TIMEOUT_MS = 10_000;

const ID = /^[A-Za-z0-9_-]{43}$/;

const UploadAnswer = Compile(Type.Object({ id: Type.String() }));

/**
 * An id is the hash of a deterministic signature: the URI is known before the upload, equal bytes are one item. An
 * upload counts once the gateway serves these bytes. Throws a RangeError if URIs do not fit a mint.
 */
export function createArweaveStore(options: ArweaveStoreOptions): PermanentStore {
  assertUrisFit(options.gatewayUrl);
  const { servedWithinMs = SERVED_WITHIN_MS } = options;
  const itemOf = (bytes: Uint8Array, type: StoredType): DataItem =>
    signDataItem(bytes, [{ name: 'Content-Type', value: type }], options.secretKey);
  const uriOf = (id: string): string => `${options.gatewayUrl}/${id}`;
  const underWay = new Map<string, Promise<void>>();
  const store = async (item: DataItem, bytes: Uint8Array): Promise<void> => {
    await upload(options.bundlerUrl, item);
    await untilServed(uriOf(item.id), bytes, servedWithinMs);
  };
  return {
    uriOf: (bytes, type) => uriOf(itemOf(bytes, type).id),
    async put(bytes, type) {
      const item = itemOf(bytes, type);
      // An upload whose caller gave up still runs: a retry waits for it.
      const storing = underWay.get(item.id) ?? store(item, bytes).finally(() => underWay.delete(item.id));
      underWay.set(item.id, storing);
      await storing;
      return uriOf(item.id);
    },
    has: async (uri) => {
      idIn(options.gatewayUrl, uri);
      return isServed(uri);
    },
    async get(uri, type) {
      const id = idIn(options.gatewayUrl, uri);
      const bytes = await download(uri);
      if (bytes === null || itemOf(bytes, type).id === id) return bytes;
      throw unavailable(`the gateway serves other bytes at ${uri}, or another key uploaded them`);
    },
    keyOf: (document) => itemOf(document, 'application/json').id,
    uriAt: uriOf,
  };
}

function idIn(gatewayUrl: string, uri: string): string {
  const id = uri.startsWith(`${gatewayUrl}/`) ? uri.slice(gatewayUrl.length + 1) : '';
  if (ID.test(id)) return id;
  throw new RangeError(`"${uri}" is not an address under ${gatewayUrl}`);
}

/** Larger than any logo or list of recipients. */
const MOST_BYTES = 4 * 1024 * 1024;

/** Null if the gateway does not have it. */
async function download(uri: string): Promise<Buffer | null> {
  const response = await request(uri, { dispatcher: readers, headersTimeout: TIMEOUT_MS, bodyTimeout: TIMEOUT_MS });
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of response.body as AsyncIterable<Buffer>) {
    length += part.length;
    if (length > MOST_BYTES) throw unavailable(`the gateway serves more than ${MOST_BYTES} bytes at ${uri}`);
    parts.push(part);
  }
  if (response.statusCode === 404) return null;
  if (response.statusCode !== 200) throw unavailable(`the gateway answers ${response.statusCode} for ${uri}`);
  return Buffer.concat(parts);
}

function assertUrisFit(gatewayUrl: string): void {
  const room = MAX_URI_BYTES - ID_LENGTH - 1;
  if (gatewayUrl.length <= room) return;
  throw new RangeError(`the gateway "${gatewayUrl}" has ${gatewayUrl.length} characters, at most ${room} fit a mint`);
}

/** A token's link never changes: check it before it is paid for. */
async function untilServed(uri: string, bytes: Uint8Array, withinMs: number): Promise<void> {
  const deadline = Date.now() + withinMs;
  for (;;) {
    const problem = await problemOf(uri, bytes);
    if (problem === null) return;
    if (Date.now() >= deadline) throw unavailable(`${uri} was uploaded, but ${problem}`);
    await sleep(LOOK_EVERY_MS);
  }
}

/** Null once served. */
async function problemOf(uri: string, bytes: Uint8Array): Promise<string | null> {
  try {
    const response = await request(uri, { dispatcher: readers, headersTimeout: TIMEOUT_MS, bodyTimeout: TIMEOUT_MS });
    const served = Buffer.from(await response.body.arrayBuffer());
    if (response.statusCode !== 200) return `the gateway answers ${response.statusCode}`;
    return served.equals(bytes) ? null : `the gateway serves ${served.length} other bytes`;
  } catch (error) {
    return `the gateway cannot be read (${errorText(error)})`;
  }
}

async function upload(bundlerUrl: string, item: DataItem): Promise<void> {
  const { status, text } = await post(`${bundlerUrl}/tx`, item.wire);
  // 202: known already.
  if (status === 202) return;
  if (status < 200 || status > 299)
    throw unavailable(`the bundler refused ${item.id}: ${status} ${text.slice(0, 200)}`);
  const id = idOf(text);
  if (id !== item.id) throw unavailable(`the bundler stored ${item.id} under ${id}`);
}

function idOf(text: string): string {
  try {
    const answer: unknown = JSON.parse(text);
    if (UploadAnswer.Check(answer)) return answer.id;
  } catch (error) {
    throw unavailable(`the bundler answered no JSON: ${text.slice(0, 200)}`, error);
  }
  throw unavailable(`the bundler answered without an id: ${text.slice(0, 200)}`);
}

async function post(url: string, body: Uint8Array): Promise<{ status: number; text: string }> {
  try {
    const response = await request(url, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/octet-stream' },
      headersTimeout: TIMEOUT_MS,
      bodyTimeout: TIMEOUT_MS,
    });
    return { status: response.statusCode, text: await response.body.text() };
  } catch (error) {
    throw unavailable(`the bundler at ${url} cannot be reached`, error);
  }
}

async function isServed(uri: string): Promise<boolean> {
  try {
    const response = await request(uri, { method: 'HEAD', headersTimeout: TIMEOUT_MS, bodyTimeout: TIMEOUT_MS });
    await response.body.dump();
    if (response.statusCode === 404) return false;
    if (response.statusCode < 400) return true;
    throw new Error(`status ${response.statusCode}`);
  } catch (error) {
    throw unavailable(`the gateway does not tell whether it has ${uri}`, error);
  }
}

function unavailable(message: string, cause?: unknown): AppError {
  return new AppError('service_unavailable', `permanent storage: ${message}`, { cause });
}
