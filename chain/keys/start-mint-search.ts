import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { MintSearchThreadInput } from './mint-search-thread.ts';

/** A search in a thread of low priority. */
export interface MintSearch extends AsyncDisposable {
  /** Returns a quote id whose mint ends in the suffix. One call at a time. */
  next(): Promise<string>;
}

/** Ends on dispose, or at `signal`: then a call under way rejects. */
export function startMintSearch(input: MintSearchThreadInput, signal: AbortSignal): MintSearch {
  const thread = new Worker(new URL('./mint-search-thread.ts', import.meta.url), { workerData: input });
  const ended = Promise.withResolvers<never>();
  ended.promise.catch(() => undefined);
  thread.once('error', ended.reject);
  thread.once('exit', () => ended.reject(new Error('the thread that searches mint addresses ended')));
  const end = () => void thread.terminate();
  signal.addEventListener('abort', end, { once: true });
  if (signal.aborted) end();
  return {
    async next() {
      const found = once(thread, 'message') as Promise<[string]>;
      thread.postMessage('search');
      const [quoteId] = await Promise.race([found, ended.promise]);
      return quoteId;
    },
    async [Symbol.asyncDispose]() {
      signal.removeEventListener('abort', end);
      await thread.terminate();
    },
  };
}
