import { Keypair } from '@solana/web3.js';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { moveOnce } from '../../../activities/money/move-once.ts';
import { finalizedMovement } from '../../../activities/money/movement.ts';
import type { Purpose } from '../../../domain/purpose.ts';
import { createDoom, type Doom, doomedFetch, doomedStatements } from '../../support/fee-sweep/doomed-sweep.ts';
import { type LaneFixture, PAID, startLaneFixture } from '../../support/lanes/lane-fixture.ts';

let ground: LaneFixture;
beforeAll(async () => {
  ground = await startLaneFixture();
});
afterAll(() => ground.close());

let jobs = 0;

/** A movement on a worker that dies at a moment, then on one that lives: it must have happened once. */
async function dieAndGoOn(fatal: string | null): Promise<Doom> {
  const doom = createDoom(fatal, 'never');
  const [holder, purpose] = [Keypair.generate().publicKey, `test/death-${++jobs}/1`];
  const fetch = doomedFetch(doom);
  const dying = ground.worker({ db: ground.db.withPlugin(doomedStatements(doom)), fetch });
  const payment = ground.payment(purpose, holder);
  const first = await moveOnce(dying, payment).catch(() => null);
  if (first && !doom.isOver) await finalizedMovement(dying, first).catch(() => undefined);
  expect([fatal, doom.isOver]).toEqual([fatal, fatal !== null]);
  await moveOnce(ground.worker(), payment);
  expect([fatal, await ground.held(holder)]).toEqual([fatal, PAID]);
  const final = ground.db
    .selectFrom('chainTransactions')
    .select('status')
    .where('purpose', '=', purpose as Purpose);
  const statuses = (await final.execute()).map(({ status }) => status);
  expect([fatal, statuses.filter((status) => status === 'finalized')]).toEqual([fatal, ['finalized']]);
  return doom;
}

it('a movement whose worker dies before or after any statement or request happens once', async () => {
  const { moments } = await dieAndGoOn(null);
  expect(moments).toEqual(
    expect.arrayContaining([
      '0: after insert chain_transactions',
      '0: before sendTransaction',
      '0: after sendTransaction',
      '0: after getMultipleAccounts',
      '0: before getTransaction',
    ]),
  );
  for (const moment of moments) await dieAndGoOn(moment);
});
