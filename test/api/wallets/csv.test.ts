import { expect, it } from 'vitest';
import { csvOf } from '../../../api/wallets/csv.ts';

it.each([
  [0.00000088, '0.00000088'],
  [1e-18, '0.000000000000000001'],
  [1e21, '1000000000000000000000'],
  [-8.8e-7, '-0.00000088'],
  [102.9, '102.9'],
  [0, '0'],
])('writes the number %d as a plain decimal', (amount, written) => {
  expect(csvOf(['amount'], [{ amount }])).toBe(`amount\r\n${written}\r\n`);
});
