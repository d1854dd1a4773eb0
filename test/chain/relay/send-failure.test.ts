import { status } from '@grpc/grpc-js';
import { describe, expect, it } from 'vitest';
import { outcomeOf, sendError } from '../../../chain/relay/send-failure.ts';

const failure = (code: status, details: string) => ({ code, details, message: details });

describe('what a failed SendBundle proves', () => {
  it.each([
    [status.INVALID_ARGUMENT, 'bundle has 6 transactions'],
    [status.UNAUTHENTICATED, 'no token'],
    [status.PERMISSION_DENIED, 'not allowed'],
    [status.UNIMPLEMENTED, 'unknown method'],
    [status.RESOURCE_EXHAUSTED, 'Rate limit exceeded. Limit: 1 per second'],
  ])('status %i (%s) forwarded nothing', (code, details) => {
    expect(outcomeOf(failure(code, details))).toBe('refused');
  });

  it.each([
    [status.DEADLINE_EXCEEDED, 'Deadline exceeded after 5s'],
    [status.UNAVAILABLE, 'Connection dropped'],
    [status.INTERNAL, 'stream reset'],
    [status.UNKNOWN, 'what happened?'],
    [status.CANCELLED, 'cancelled'],
    [status.RESOURCE_EXHAUSTED, 'Received message larger than max'],
    [status.INVALID_ARGUMENT, 'bundle contains an already processed transaction'],
    [status.ALREADY_EXISTS, 'bundle already exists'],
  ])('status %i (%s) may have forwarded the bundle', (code, details) => {
    expect(outcomeOf(failure(code, details))).toBe('unknown');
  });

  it('names the status, the details and the consequence', () => {
    expect(sendError(failure(status.DEADLINE_EXCEEDED, 'too slow')).message).toBe(
      'block engine answered DEADLINE_EXCEEDED: too slow (the bundle may have been forwarded)',
    );
  });
});
