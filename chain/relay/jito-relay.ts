import { ChannelCredentials, type Client, InterceptingCall, type Interceptor } from '@grpc/grpc-js';
import { PublicKey, VersionedTransaction } from '@solana/web3.js';
import { SearcherServiceClient } from 'jito-ts/dist/gen/block-engine/searcher.js';
import { SearcherClient } from 'jito-ts/dist/sdk/block-engine/searcher.js';
import { Bundle } from 'jito-ts/dist/sdk/block-engine/types.js';
import { errorText } from '../../domain/error-text.ts';
import { parseBlockEngineUrl } from './block-engine-address.ts';
import { BUNDLE_MAX_TRANSACTIONS, BundleSendError, type BundleRelay } from './bundle-relay.ts';
import { followHints } from './hints.ts';
import { sendError } from './send-failure.ts';

export interface JitoRelayOptions {
  /** `http://host:port` plaintext, `https://…` or a bare host TLS. */
  readonly url: string;
  /** Default 5,000. */
  readonly connectTimeoutMs?: number;
  /** After connecting; default 5,000. */
  readonly callTimeoutMs?: number;
}

/**
 * Connects without an auth key pair: with one, jito-ts 4.2.1 ends the process if the engine is unreachable; the
 * searcher service needs none.
 *
 * @throws TypeError for no address
 */
export function createJitoRelay(options: JitoRelayOptions): BundleRelay {
  const { connectTimeoutMs = 5_000, callTimeoutMs = 5_000 } = options;
  const service = connectService(options.url, callTimeoutMs);
  const searcher = new SearcherClient(service);
  const whenReady = () => waitForReady(service, connectTimeoutMs, options.url);
  const watches = new Set<() => void>();
  return {
    async sendBundle(wires) {
      const bundle = bundleOf(wires);
      // Only when connected: a failed connect proves that nothing was sent.
      await whenReady().catch(refuse);
      const answer = await searcher.sendBundle(bundle);
      if (!answer.ok) throw sendError(answer.error);
      return { bundleId: answer.value };
    },
    async tipAccounts() {
      await whenReady();
      const answer = await searcher.getTipAccounts();
      if (!answer.ok) throw new Error(`${options.url} gave no tip accounts: ${answer.error.message}`);
      return parseAccounts(answer.value, options.url);
    },
    watchHints(onHint) {
      const stop = followHints(() => service.subscribeBundleResults({}), onHint);
      watches.add(stop);
      return () => {
        watches.delete(stop);
        stop();
      };
    },
    close() {
      for (const stop of watches) stop();
      service.close();
    },
  };
}

/** jito-ts' `searcherClient` always uses TLS, hides the channel that `close` must end, and sets no deadlines. */
function connectService(url: string, callTimeoutMs: number): SearcherServiceClient {
  const { target, secure } = parseBlockEngineUrl(url);
  const credentials = secure ? ChannelCredentials.createSsl() : ChannelCredentials.createInsecure();
  return new SearcherServiceClient(target, credentials, {
    interceptors: [deadline(callTimeoutMs)],
    // The caller decides about repeats.
    'grpc.enable_retries': 0,
    'grpc.initial_reconnect_backoff_ms': 100,
    'grpc.max_reconnect_backoff_ms': 1_000,
    'grpc.keepalive_time_ms': 30_000,
    'grpc.keepalive_timeout_ms': 5_000,
    // Closing one relay must end only its own connection.
    'grpc.use_local_subchannel_pool': 1,
  });
}

/** Streams stay open. */
function deadline(timeoutMs: number): Interceptor {
  return (options, nextCall) =>
    new InterceptingCall(
      nextCall(options.method_definition.responseStream ? options : { ...options, deadline: Date.now() + timeoutMs }),
    );
}

function waitForReady(client: Client, timeoutMs: number, url: string): Promise<void> {
  return new Promise((resolve, reject) => {
    client.waitForReady(Date.now() + timeoutMs, (error) => {
      if (error) reject(new Error(`no connection to block engine ${url} within ${timeoutMs} ms`, { cause: error }));
      else resolve();
    });
  });
}

function refuse(error: unknown): never {
  throw new BundleSendError('refused', errorText(error), { cause: error });
}

function bundleOf(wires: readonly Uint8Array[]): Bundle {
  if (wires.length === 0 || wires.length > BUNDLE_MAX_TRANSACTIONS) {
    throw new BundleSendError(
      'refused',
      `a bundle has 1 to ${BUNDLE_MAX_TRANSACTIONS} transactions, not ${wires.length}`,
    );
  }
  const bundle = new Bundle(wires.map(transactionOf), BUNDLE_MAX_TRANSACTIONS);
  // jito-ts serialises again; sent bytes must equal the persisted ones.
  const changed = bundle.packets.findIndex(
    ({ data }, index) => Buffer.compare(data, wires[index] ?? Buffer.alloc(0)) !== 0,
  );
  if (changed >= 0) throw new BundleSendError('refused', `transaction ${changed} does not serialise to its own bytes`);
  return bundle;
}

function transactionOf(wire: Uint8Array, index: number): VersionedTransaction {
  try {
    return VersionedTransaction.deserialize(wire);
  } catch (error) {
    throw new BundleSendError('refused', `transaction ${index} (${wire.length} bytes) is malformed`, { cause: error });
  }
}

function parseAccounts(accounts: readonly string[], url: string): PublicKey[] {
  if (accounts.length === 0) throw new Error(`${url} answered an empty list of tip accounts`);
  return accounts.map((account) => {
    try {
      return new PublicKey(account);
    } catch (error) {
      throw new Error(`${url} answered "${account}" as a tip account, which is no address`, { cause: error });
    }
  });
}
