import { PublicKey } from '@solana/web3.js';
import { expect, it } from 'vitest';
import { withPauses } from '../../activities/reward/with-pauses.ts';

/** Takes the process so long, ms. */
function beBusy(ms: number): void {
  for (const until = performance.now() + ms; performance.now() < until;)
    PublicKey.isOnCurve(PublicKey.default.toBytes());
}

it('what takes long leaves room for everything else, and keeps its order', async () => {
  let turns = 0;
  const other = setInterval(() => turns++, 1);
  const items = Array.from({ length: 200 }, (_, index) => index);
  const doubled = await withPauses(items, (item) => {
    beBusy(2);
    return 2 * item;
  });
  clearInterval(other);
  expect(doubled).toEqual(items.map((item) => 2 * item));
  expect(turns).toBeGreaterThanOrEqual(5);
});
