import { describe, expect, it } from 'vitest';
import type { Answer } from '../../support/platform/creator.ts';
import { createAnswerLog } from './answer-log.ts';
import type { ChainVerdict, Outcome } from './chain-verdict.ts';
import { contradictionsOf } from './contradictions.ts';

const paymentSignature = 'signature';
const completed: Answer = { http: 200, data: { status: 'completed', paymentSignature } };
const processing: Answer = { http: 200, data: { status: 'processing', paymentSignature } };
const notCharged: Answer = { http: 503, status: 'service_unavailable', charged: false, paymentSignature };
const parked: Answer = { http: 409, error: { code: 'conflict', message: '', retryable: false, retryAfterSeconds: 0 } };
const broken: Answer = {
  http: 500,
  error: { code: 'internal', message: 'oops', retryable: true, retryAfterSeconds: 1 },
};

function found(outcome: Outcome, ...answers: Answer[]): string[] {
  const log = createAnswerLog();
  answers.forEach((answer) => log.note(answer));
  const nothing = { landed: [], mints: [], pools: [], feeKeyHolders: [], problems: [] };
  const verdict: ChainVerdict = { outcome, debit: 0, due: 0, locks: 0, ...nothing };
  return contradictionsOf(log, verdict);
}

describe('answers over time', () => {
  it.each([
    ['completed of a launch', found('launched', processing, completed)],
    ['not charged of an untouched one', found('untouched', processing, notCharged)],
    ['not charged of a refunded one', found('refunded', parked, notCharged)],
    ['a conflict about a part', found('part', processing, parked)],
    ['completed, before a fork took it', found('untouched', completed, processing, notCharged)],
  ])('%s are true', (_what, contradictions) => expect(contradictions).toEqual([]));

  it.each([
    ['not charged of a launch', found('launched', notCharged)],
    ['not charged of a part', found('part', processing, notCharged)],
    ['not charged, and then completed', found('launched', notCharged, completed)],
    ['completed of nothing', found('untouched', completed)],
    ['a conflict about nothing', found('untouched', parked)],
    ['nothing but processing', found('launched', processing)],
    ['an error of ours', found('launched', broken, completed)],
  ])('%s are not', (_what, contradictions) => expect(contradictions).not.toEqual([]));
});
