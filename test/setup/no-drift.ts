import { afterEach, expect } from 'vitest';
import { drifts } from '../support/api/drifts.ts';

// An answer that its schema does not describe fails the test that asked for it, whatever that test is about.
afterEach(() => {
  expect(drifts.splice(0)).toEqual([]);
});
