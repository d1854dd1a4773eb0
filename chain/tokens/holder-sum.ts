import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { HolderAnswer, HolderRefusal, HolderWish } from './holder-answer.ts';
import type { HolderPage } from './holder-page.ts';
import type { PageThreadInput, PageThreadOrder, PageThreadReply } from './holder-page-thread.ts';

/** Several times what `MOST_OWNERS` needs. */
const MOST_MB = 512;

/** Sum in a worker thread: parsing does not block the event loop. */
export interface HolderSum extends AsyncDisposable {
  /** Transfers the bytes. */
  add(body: Uint8Array<ArrayBuffer>): Promise<HolderPage | HolderRefusal>;
  answer(slot: number, wish: HolderWish): Promise<HolderAnswer>;
}

/** Ends on dispose. One call at a time. */
export function startHolderSum(input: PageThreadInput): HolderSum {
  const thread = new Worker(new URL('./holder-page-thread.ts', import.meta.url), {
    workerData: input,
    resourceLimits: { maxOldGenerationSizeMb: MOST_MB },
  });
  const ended = Promise.withResolvers<never>();
  ended.promise.catch(() => undefined);
  thread.once('error', ended.reject);
  thread.once('exit', () => ended.reject(new Error('the thread that reads holders ended without an answer')));
  const ask = async (order: PageThreadOrder): Promise<PageThreadReply> => {
    const replied = once(thread, 'message') as Promise<[PageThreadReply]>;
    thread.postMessage(order, 'body' in order ? [order.body.buffer] : []);
    const [reply] = await Promise.race([replied, ended.promise]);
    if ('problem' in reply) throw new TypeError(reply.problem);
    return reply;
  };
  return {
    async add(body) {
      const reply = await ask({ body });
      if (!('page' in reply)) throw new TypeError('the thread that reads holders replied no page');
      return reply.page;
    },
    async answer(slot, wish) {
      const reply = await ask({ slot, wish });
      if (!('answer' in reply)) throw new TypeError('the thread that reads holders replied no answer');
      return reply.answer;
    },
    async [Symbol.asyncDispose]() {
      await thread.terminate();
    },
  };
}
