import { createTransferCheckedInstruction } from '@solana/spl-token';
import { Keypair } from '@solana/web3.js';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createRpc } from '../../chain/rpc/rpc.ts';
import { createYellowstoneStream } from '../../chain/stream/yellowstone/yellowstone-stream.ts';
import * as heldAccounts from '../../db/held-accounts.ts';
import { type LaunchUnderTest, openTrader, swap, type Trader } from '../support/exchange/launched-pool.ts';
import { groupOf } from '../support/exchange/test-chain.ts';
import { DoubtfulStream } from '../support/market/doubtful-stream.ts';
import { startMarketFixture } from '../support/market/market-platform.ts';
import { quoteTokens, storedOf } from '../support/market/stored.ts';
import { eventually } from '../support/platform/eventually.ts';

const ground = await startMarketFixture({ slotMs: 40, stream: true });
let coin: LaunchUnderTest;
let holder: Trader;

beforeAll(async () => {
  coin = await ground.launch({ fee: { mode: 'reward', rewardTaxBps: 100 } });
  holder = await openTrader(coin);
});
afterAll(() => ground.close());

/** Gives some of a coin to somebody who has none of it. Answers where they lie, and the slot. */
async function give(): Promise<{ readonly account: string; readonly slot: number }> {
  const { base } = coin.request;
  const to = await coin.chain.openAccount(base, Keypair.generate().publicKey);
  const parties = [holder.baseAccount, base.mint, to, holder.wallet.publicKey] as const;
  const gift = createTransferCheckedInstruction(...parties, 1_000n, base.decimals, [], base.tokenProgram);
  const { response } = await coin.chain.succeed(holder.wallet, groupOf([gift]));
  return { account: to.toBase58(), slot: response.slot };
}

/** Keeps everybody from noting accounts until it is called off. */
async function lockAccounts(): Promise<() => Promise<void>> {
  const [locked, done] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const holding = ground.db.transaction().execute(async (tx) => {
    await sql`lock table held_accounts in exclusive mode`.execute(tx);
    locked.resolve();
    await done.promise;
  });
  await locked.promise;
  return () => {
    done.resolve();
    return holding;
  };
}

const untilLocked = () =>
  eventually(async () => {
    const waiting = await sql`select from pg_locks where not granted and relation = 'held_accounts'::regclass`.execute(
      ground.db,
    );
    return waiting.rows.length > 0 || null;
  }, 'an account that waits to be noted');

it('notes nothing as followed in which a reward coin came to lie somewhere that is not noted yet', async () => {
  let [gate, asked, answered] = [Promise.resolve(), 0, 0];
  const rpc = createRpc({
    endpoints: [ground.localnet.rpcUrl],
    fetch: async (...request) => {
      asked++;
      await gate;
      const response = await fetch(...request);
      answered++;
      return response;
    },
  });
  const stream = new DoubtfulStream(createYellowstoneStream({ url: ground.localnet.streamUrl! }));
  const index = ground.follow({ rpc, stream });
  await swap(coin, holder, { side: 'buy', exact: 'in', amount: quoteTokens(5n) });
  await storedOf(ground, coin).settle(index);

  // A stream that tells late of what is long final, as one does that begins again.
  stream.keep();
  const [first, second] = [await give(), await give()];
  ground.finalize();
  await eventually(() => Promise.resolve(stream.keeps(second.slot) || null), 'both gifts');
  const unlock = await lockAccounts();
  const { promise, resolve } = Promise.withResolvers<void>();
  [gate, asked, answered] = [promise, 0, 0];
  await eventually(() => Promise.resolve(asked > 0 || null), 'a question how far the chain is final');
  stream.releaseUpTo(first.slot);
  await untilLocked();
  resolve();
  await eventually(() => Promise.resolve(answered > 0 || null), 'the answer');
  // Time to take it in; the account still waits.
  await untilLocked();
  stream.release();
  const stopped = index.stop();
  await unlock();
  await stopped;

  const next = ground.follow();
  await next.lookAtMarket();
  await next.stop();
  expect(await heldAccounts.known(ground.db, coin.request.base.mint.toBase58())).toEqual(
    expect.arrayContaining([first.account, second.account]),
  );
});
