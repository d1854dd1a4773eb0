import { createCache } from 'async-cache-dedupe';
import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  type CacheFor,
  encodeDocument,
  type EncodedRead,
  encodeRead,
  sendRead,
  UNCHANGED_SECONDS,
} from '../envelope.ts';
import { observe } from '../metrics/observed.ts';

/** What a read answers, before it is encoded: what the envelope holds, or a document without it. */
export type ReadAnswer = { readonly data: object } | { readonly document: object };

/** How long a read is kept where. */
export interface ReadLife extends CacheFor {
  /** In this process, in whole seconds; a change shows at the latest after this and the time in shared caches. */
  readonly memorySeconds: number;
  /** Most answers kept here at once, the one not asked for longest goes first. */
  readonly entries?: number;
  /** How old an answer may be by its own time before nobody serves it any more, in seconds; `MOST_SECONDS` when absent. */
  readonly mostSeconds?: number;
}

/** Clients take an answer for stale that is a minute old by its `generatedAt`. */
const MOST_SECONDS = 60;

/** For reads whose answers are many and small. */
const DEFAULT_ENTRIES = 200;

export interface ReadCache<Input> {
  /** Sends what `load` answers for `input`, from memory where it is fresh. */
  send(request: FastifyRequest, reply: FastifyReply, input: Input): Promise<FastifyReply>;
}

/**
 * Collapses loads and keeps encoded answers for a short while: requests that come while one is loaded wait for that one load, however
 * many they are. The input is the key, so it names everything the answer depends on, also where that is not in the URL: the host
 * that was asked, a switch. A failed load is kept by nobody: all who waited get the error, the next request tries again.
 * Throws a RangeError for a life in which an answer would come to look stale.
 */
export function createReadCache<Input>(life: ReadLife, load: (input: Input) => Promise<ReadAnswer>): ReadCache<Input> {
  assertFresh(life);
  const cache = createCache({
    ttl: life.memorySeconds,
    storage: { type: 'memory', options: { size: life.entries ?? DEFAULT_ENTRIES } },
  }).define('read', async (input: Input): Promise<EncodedRead> => {
    const answer = await load(input);
    return 'document' in answer ? encodeDocument(answer.document) : encodeRead(answer.data);
  });
  // Who sends an answer first had it loaded; whoever sends the same one again got it from memory.
  const sent = new WeakSet<EncodedRead>();
  return {
    send: async (request, reply, input) => {
      const read = await cache.read(input);
      observe(request, { read: sent.has(read) ? 'hit' : 'miss' });
      sent.add(read);
      return sendRead(request, reply, life, read);
    },
  };
}

/** A 304 leaves a client with an answer of the same time span. */
function assertFresh({ memorySeconds, seconds, staleSeconds, mostSeconds = MOST_SECONDS }: ReadLife): void {
  const oldest = UNCHANGED_SECONDS + memorySeconds + seconds + staleSeconds;
  if (oldest > mostSeconds)
    throw new RangeError(`an answer could be served for ${oldest} s, at most ${mostSeconds} are right`);
}
