import { gzipSync } from 'node:zlib';
import type { RateGroup } from '../plugins/rate-limit.ts';

/** What is sent of an answer. */
export interface Representation {
  readonly status: 200 | 304;
  /** Names and values in turn, as `response.writeHead` takes them, without those that differ from request to request. */
  readonly headers: readonly string[];
  /** Absent in a 304. A string, because Node sends one in one piece with its headers. */
  readonly body?: string;
  /** `latin1` where the body is bytes. */
  readonly encoding: 'utf8' | 'latin1';
}

/** An answer as it went out, in each form that a client can get it. */
export interface KeptAnswer {
  readonly etag: string;
  readonly plain: Representation;
  /** Made when the first client that can read it asks; null where that is not worth it. */
  readonly gzipped: () => Representation | null;
  readonly notModified: Representation;
  readonly rateGroup: RateGroup;
  /** The `Host` that was asked; another one may get another answer. */
  readonly host: string | undefined;
  /** Path of its route, for the log. */
  readonly route: string;
  /** Unix ms; afterwards it is asked for anew. */
  readonly freshUntil: number;
}

/** Answers by URL, a bounded number of them. */
export interface KeptAnswers {
  /** The answer that is fresh at a time (Unix ms), if any. */
  find(url: string, nowMs: number): KeptAnswer | undefined;
  /** Keeps an answer, which is made only where it is kept. */
  keep(url: string, make: () => KeptAnswer): void;
}

/** Smaller bodies fit a few packets as they are. */
const SMALLEST_COMPRESSED = 4 * 1024;

/** A body with the headers of its answer, as it is. */
export function plainOf(headers: readonly string[], body: string): Representation {
  const length = ['content-length', String(Buffer.byteLength(body))];
  return { status: 200, headers: [...headers, ...length], body, encoding: 'utf8' };
}

/** The same compressed, once, when it is first asked for. */
export function gzipOnce(headers: readonly string[], body: string): () => Representation | null {
  if (body.length < SMALLEST_COMPRESSED) return () => null;
  let made: Representation | null = null;
  return () => (made ??= gzippedOf(headers, body));
}

function gzippedOf(headers: readonly string[], body: string): Representation {
  const compressed = gzipSync(body).toString('latin1');
  const encoding = ['content-encoding', 'gzip', 'content-length', String(compressed.length)];
  return { status: 200, headers: [...headers, ...encoding], body: compressed, encoding: 'latin1' };
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
    find: (url, nowMs) => {
      const answer = answers.get(url);
      return answer && nowMs < answer.freshUntil ? answer : undefined;
    },
    keep: (url, make) => {
      if (!asked.has(url)) {
        if (asked.size >= entries) asked.clear();
        asked.add(url);
        return;
      }
      const made = make();
      if ((made.plain.body?.length ?? 0) > LARGEST_BODY) return;
      const before = answers.get(url);
      // The same bytes need not be compressed again.
      const answer = before?.etag === made.etag ? { ...made, gzipped: before.gzipped } : made;
      answers.delete(url);
      answers.set(url, answer);
      const [oldest] = answers.keys();
      if (answers.size > entries && oldest !== undefined) answers.delete(oldest);
    },
  };
}
