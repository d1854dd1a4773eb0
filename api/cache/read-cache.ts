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
import { createBoundedCache } from './bounded-cache.ts';

/** An answer before encoding: the envelope's data, or a document without one. */
export type ReadAnswer = { readonly data: object } | { readonly document: object };

export interface ReadLife extends CacheFor {
  /** Whole seconds, in this process. A change shows after this plus the shared caches' time. */
  readonly memorySeconds: number;
  /** Age that the data may already have when it is read from another cache; default 0. */
  readonly sourceSeconds?: number;
  /** The least recently used is evicted. The size is bounded too. */
  readonly entries?: number;
  /** By its own time; default `MOST_SECONDS`. */
  readonly mostSeconds?: number;
}

/** Clients treat a response as stale a minute after `generatedAt`. */
const MOST_SECONDS = 60;

const DEFAULT_ENTRIES = 200;

export interface ReadCache<Input> {
  send(request: FastifyRequest, reply: FastifyReply, input: Input): Promise<FastifyReply>;
}

/**
 * The input is the key: it must contain all that the response depends on, also a host or switch outside of the URL. A
 * failed load is not cached: its waiters get the error.
 *
 * @throws RangeError for a life that lets a response look stale
 */
export function createReadCache<Input>(life: ReadLife, load: (input: Input) => Promise<ReadAnswer>): ReadCache<Input> {
  assertFresh(life);
  const { memorySeconds, entries = DEFAULT_ENTRIES } = life;
  const sizeOf = ({ body }: EncodedRead) => body.length;
  const read = createBoundedCache({ seconds: memorySeconds, entries, sizeOf }, async (input: Input) => {
    const answer = await load(input);
    return 'document' in answer ? encodeDocument(answer.document) : encodeRead(answer.data);
  });
  // First a miss, then hits.
  const sent = new WeakSet<EncodedRead>();
  return {
    send: async (request, reply, input) => {
      const encoded = await read(input);
      observe(request, { read: sent.has(encoded) ? 'hit' : 'miss' });
      sent.add(encoded);
      return sendRead(request, reply, life, encoded);
    },
  };
}

/** Throws if a response could be served too long; after a 304 a client keeps it for the same time span. */
function assertFresh(life: ReadLife): void {
  const { memorySeconds, sourceSeconds = 0, seconds, staleSeconds, mostSeconds = MOST_SECONDS } = life;
  const oldest = UNCHANGED_SECONDS + sourceSeconds + memorySeconds + seconds + staleSeconds;
  if (oldest > mostSeconds)
    throw new RangeError(`an answer could be served for ${oldest} s, at most ${mostSeconds} are right`);
}
