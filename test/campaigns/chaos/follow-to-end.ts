import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, type Creator, signatureIn, type Submission } from '../../support/platform/creator.ts';
import { type AnswerLog, type Told, whatItTells } from './answer-log.ts';

/** How to follow a launch. */
export interface FollowOptions {
  readonly log: AnswerLog;
  /** An answer to a submit that is under way already. */
  readonly first?: Promise<Answer>;
  readonly withinMs: number;
  /** Pause between two questions, in ms. */
  readonly pauseMs?: number;
}

/** What ends a client's patience: it knows then what became of its launch. */
const ENDINGS: readonly Told[] = ['completed', 'not charged', 'refunded', 'conflict'];

/**
 * What a client does that follows the documentation to the letter: submits, asks for the status while the answer is
 * `processing`, submits the same again where nobody knows the launch, and never pays anew. Answers what it was told last.
 * Throws when it learns nothing within the time.
 */
export async function followToEnd(creator: Creator, submission: Submission, options: FollowOptions): Promise<Told> {
  const { log, withinMs, pauseMs = 100 } = options;
  const signature = signatureIn(submission.signedTransaction);
  const deadline = Date.now() + withinMs;
  let told = whatItTells(log.note(await (options.first ?? creator.submit(submission))));
  while (!ENDINGS.includes(told)) {
    if (Date.now() > deadline) throw new Error(`the launch was still "${told}" after ${withinMs} ms`);
    await sleep(pauseMs);
    const again = told === 'unknown' || told === 'nothing' ? creator.submit(submission) : creator.status(signature);
    told = whatItTells(log.note(await again));
  }
  return told;
}
