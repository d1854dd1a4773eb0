import Type from 'typebox';
import { Compile } from 'typebox/compile';
import { request } from 'undici';
import { AppError } from '../../../domain/errors.ts';
import { type PermanentStore, type StoredType } from '../permanent-store.ts';
import { type DataItem, signDataItem } from './data-item.ts';

/** A bundler and a gateway of the Arweave network. */
export interface ArweaveStoreOptions {
  /** Base URL of a bundler that takes data items at `POST {bundlerUrl}/tx`, without a trailing slash. */
  readonly bundlerUrl: string;
  /** Base URL of the gateway that readers use; it becomes part of the permanent URI. */
  readonly gatewayUrl: string;
  /** 32 bytes of an Ed25519 key that does nothing but sign uploads and hold upload credit. */
  readonly secretKey: Uint8Array;
}

/** Time for one upload or look-up, in ms. */
const TIMEOUT_MS = 20_000;

const ID = /^[A-Za-z0-9_-]{43}$/;

const UploadAnswer = Compile(Type.Object({ id: Type.String() }));

/**
 * Permanent storage on Arweave through a bundler. The id of a data item is the hash of its signature and the signature is
 * deterministic, so the URI is known before the upload; an upload of the same bytes is the same item.
 */
export function createArweaveStore(options: ArweaveStoreOptions): PermanentStore {
  const itemOf = (bytes: Uint8Array, type: StoredType): DataItem =>
    signDataItem(bytes, [{ name: 'Content-Type', value: type }], options.secretKey);
  const uriOf = (id: string): string => `${options.gatewayUrl}/${id}`;
  return {
    uriOf: (bytes, type) => uriOf(itemOf(bytes, type).id),
    async put(bytes, type) {
      const item = itemOf(bytes, type);
      await upload(options.bundlerUrl, item);
      return uriOf(item.id);
    },
    async has(uri) {
      const id = uri.startsWith(`${options.gatewayUrl}/`) ? uri.slice(options.gatewayUrl.length + 1) : '';
      if (!ID.test(id)) throw new RangeError(`"${uri}" is not an address under ${options.gatewayUrl}`);
      return isServed(uri);
    },
  };
}

async function upload(bundlerUrl: string, item: DataItem): Promise<void> {
  const { status, text } = await post(`${bundlerUrl}/tx`, item.wire);
  // 202: the bundler has this very item already.
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
