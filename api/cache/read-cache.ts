import { createCache } from 'async-cache-dedupe';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { type CacheFor, encodeDocument, encodeRead, type KeptRead, type Meta, sendRead } from '../envelope.ts';

/** What a read answers, before it is encoded: what the envelope holds, or a document without it. */
export type ReadAnswer =
  { readonly data: object; readonly list?: Omit<Meta, 'requestId'> } | { readonly document: object };

/** How long a read is kept where. */
export interface ReadLife extends CacheFor {
  /** In this process, in whole seconds; a change shows at the latest after this and the time in shared caches. */
  readonly memorySeconds: number;
  /**
   * Most answers kept here at once, the one not asked for longest goes first; none where a load costs less than keeping each page that
   * one client asks for once: twice the CPU of such a read was garbage. What is asked for again the front door keeps.
   */
  readonly entries?: number;
}

export interface ReadCache<Input> {
  /** Sends what `load` answers for `input`, from memory where it is fresh. */
  send(request: FastifyRequest, reply: FastifyReply, input: Input): Promise<FastifyReply>;
}

/**
 * Collapses loads and keeps encoded answers for a short while: requests that come while one is loaded wait for that one load, however
 * many they are. A failed load is kept by nobody: all who waited get the error, the next request tries again.
 */
export function createReadCache<Input>(life: ReadLife, load: (input: Input) => Promise<ReadAnswer>): ReadCache<Input> {
  const cache = createCache({
    ttl: life.entries === undefined ? 0 : life.memorySeconds,
    storage: { type: 'memory', options: { size: life.entries ?? 1 } },
  }).define('read', async (input: Input): Promise<KeptRead> => {
    const answer = await load(input);
    const encoded = 'document' in answer ? encodeDocument(answer.document) : encodeRead(answer.data, answer.list);
    return { ...encoded, freshUntil: Date.now() + life.memorySeconds * 1_000 };
  });
  return {
    send: async (request, reply, input) => sendRead(request, reply, life, await cache.read(input)),
  };
}
