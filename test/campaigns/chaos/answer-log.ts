import type { Answer } from '../../support/platform/creator.ts';

/** What a client was told, reduced to what it promises. */
export type Told = 'completed' | 'processing' | 'not charged' | 'refunded' | 'conflict' | 'unknown' | 'nothing';

/** One public answer, when it was given and what it promised. */
export interface Heard {
  /** Unix time in ms. */
  readonly at: number;
  readonly told: Told;
  readonly answer: Answer;
}

/** Everything that the clients of one launch were told, in order. */
export interface AnswerLog {
  readonly heard: readonly Heard[];
  /** Adds an answer and returns it. */
  note(answer: Answer): Answer;
}

export function createAnswerLog(): AnswerLog {
  const heard: Heard[] = [];
  return {
    heard,
    note(answer) {
      heard.push({ at: Date.now(), told: whatItTells(answer), answer });
      return answer;
    },
  };
}

/** What an answer promises to a client that knows nothing but the public documentation. */
export function whatItTells({ http, data, charged, status, refundSignature }: Answer): Told {
  if (http === 409) return 'conflict';
  if (http === 404) return 'unknown';
  if (refundSignature !== undefined) return 'refunded';
  if (charged === false) return 'not charged';
  if (data?.status === 'completed' || data?.status === 'processing') return data.status;
  if (status === undefined && data === undefined) return 'nothing';
  throw new Error(`answer ${http} says nothing that the documentation knows: ${JSON.stringify({ data, status })}`);
}
