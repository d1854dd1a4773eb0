import { gzipSync } from 'node:zlib';
import type { RateGroup } from '../plugins/rate-limit.ts';

/** An answer as it went out, without the headers that differ from request to request. */
export interface KeptAnswer {
  readonly body: Buffer;
  /**
   * The body compressed, as a string of bytes (latin1), because Node sends a string in one piece with its headers; made when
   * the first client that can read it asks; null where that is not worth it.
   */
  readonly gzipped: () => string | null;
  readonly etag: string;
  /** Names and values in turn, as `response.writeHead` takes them. */
  readonly headers: readonly string[];
  /** Those of them that a 304 has. */
  readonly notModifiedHeaders: readonly string[];
  readonly rateGroup: RateGroup;
  /** Path of its route, for the log. */
  readonly route: string;
  /** Unix ms; afterwards it is asked for anew. */
  readonly freshUntil: number;
}

/** Answers by host and URL, a bounded number of them. */
export interface KeptAnswers {
  /** The answer that is fresh at a time (Unix ms), if any. */
  find(key: string, nowMs: number): KeptAnswer | undefined;
  /** Keeps an answer, which is made only where it is kept. */
  keep(key: string, make: () => KeptAnswer): void;
}

/** Smaller bodies fit a few packets as they are. */
const SMALLEST_COMPRESSED = 4 * 1024;

/** Compresses a body once, when it is first asked for. */
export function gzipOnce(body: Buffer): () => string | null {
  let compressed: string | null = null;
  return () => (body.length < SMALLEST_COMPRESSED ? null : (compressed ??= gzipSync(body).toString('latin1')));
}

/** Larger ones are few, and cheap beside the sending. */
const LARGEST_BODY = 256 * 1024;

/**
 * Keeps at most so many answers; the one kept first goes first. One is kept when it is made for the second time: most searches
 * and deep pages are asked for once, and keeping those would only fill the memory.
 */
export function createKeptAnswers(entries = 500): KeptAnswers {
  const answers = new Map<string, KeptAnswer>();
  const asked = new Set<string>();
  return {
    find: (key, nowMs) => {
      const answer = answers.get(key);
      return answer && nowMs < answer.freshUntil ? answer : undefined;
    },
    keep: (key, make) => {
      if (!asked.has(key)) {
        if (asked.size >= entries) asked.clear();
        asked.add(key);
        return;
      }
      const answer = make();
      if (answer.body.length > LARGEST_BODY) return;
      answers.delete(key);
      answers.set(key, answer);
      const [oldest] = answers.keys();
      if (answers.size > entries && oldest !== undefined) answers.delete(oldest);
    },
  };
}
