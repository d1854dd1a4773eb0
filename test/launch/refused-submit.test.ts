import { expect, test } from 'vitest';
import { tooManyOpen } from '../../api/launch/refused-submit.ts';
import { TooManyUnpaidError } from '../../db/launch/unpaid-launches.ts';

const reached = new TooManyUnpaidError({ whose: 'creator', key: 'wallet', limit: 3 });

test('a wallet with too many unpaid launches is rate_limited, and told where its quote expires before the retry', () => {
  const inTime = tooManyOpen(reached, 50);
  expect([inTime.code, inTime.retryAfterSeconds]).toEqual(['rate_limited', 10]);
  expect(inTime.message).toBe('this wallet has 3 unpaid launches under way; wait until one has ended');
  expect(tooManyOpen(reached, 9).message).toContain('the quote expires before: prepare the launch again');
});
