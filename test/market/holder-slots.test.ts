import { pino } from 'pino';
import { expect, it } from 'vitest';
import { createHolderCountActivities } from '../../activities/market/holder-count.ts';
import { useDatabase } from '../support/db/use-database.ts';
import { address } from '../support/launch/launch-rows.ts';
import { launchedToken, rewardFacts } from '../support/launch/launched-token.ts';

const { db } = useDatabase();
const [HEAD, AHEAD] = [1_000, 1_000_000];

it('no account of a coin is noted as of a slot that the chain has not reached, whatever one endpoint says', async () => {
  const { mint } = await launchedToken(db(), rewardFacts(100));
  await db()
    .updateTable('poolCursors')
    .set({ finalizedSlot: BigInt(HEAD) })
    .where('mint', '=', mint)
    .execute();
  const account = address();
  const rpc = {
    agreedHead: () => Promise.resolve({ slot: HEAD, blockHeight: HEAD }),
    holders: () => Promise.resolve({ total: 1, slot: AHEAD, held: [account] }),
  };
  const deps = { db: db(), rpc, now: () => new Date(), logger: pino({ level: 'silent' }), heartbeat: () => undefined };
  expect(await createHolderCountActivities({ ...deps, most: 10 } as never).countHolders()).toBe(1);
  const noted = db().selectFrom('heldAccounts').select(['account', 'slot']).where('mint', '=', mint);
  expect(await noted.execute()).toEqual([{ account, slot: BigInt(HEAD) }]);
});
