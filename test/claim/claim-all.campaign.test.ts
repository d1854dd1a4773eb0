import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { drawKills, killAlong } from '../campaigns/chaos/processes/kill-along.ts';
import { type RealStack, startRealStack } from '../campaigns/chaos/processes/real-stack.ts';
import { inParallel } from '../../chain/rpc/in-parallel.ts';
import { createDeskClient } from '../../dev/demo/desk-client.ts';
import { trade } from '../../dev/demo/trade.ts';
import { startClaimRun } from '../support/claim/claim-run.ts';
import { readFees } from '../support/claim/claimant.ts';
import { type ClaimedCoin, paidByPools, type PoolPayment } from '../support/claim/pool-payments.ts';
import { createDice } from '../support/dice.ts';
import { historyOf } from '../support/platform/chain-ledger.ts';
import { type Creator, createCreator } from '../support/platform/creator.ts';
import { eventually } from '../support/platform/eventually.ts';
import { listedClaims } from '../support/wallets/wallet-lists.ts';

/** The moments of the kills follow from it. */
const SEED = Number(process.env['KILL_SEED'] ?? 1);

const COINS = 30;

/** More unpaid launches of one wallet are refused. */
const LAUNCHES_AT_ONCE = 3;

const READS_AT_ONCE = 8;

const CLIENTS = ['client', 'client', 'client', 'client', 'client'] as const;
const KILLED = [...CLIENTS, 'worker', 'worker', 'api', 'temporal', 'postgres'] as const;

/** Steps that a claim in this state has made. */
const STEPS = sql`case state when 'issued' then 1 when 'submitted' then 2 when 'relaying' then 3 when 'relayed' then 4
  when 'finalized' then 5 else 0 end`;

/** Of 150 steps: later there may be no client to kill. */
const LAST_KILL = 110;

const [SLOT_MS, FAST_SLOT_MS] = [200, 20];

let stack: RealStack;
let creator: Creator;
let coins: readonly ClaimedCoin[];

beforeAll(async () => {
  stack = await startRealStack({ RATE_LIMIT_CLAIM_PREPARE: '100000' });
  await stack.control('setSlotMs', { slotMs: SLOT_MS });
  creator = await createCreator(stack, 50);
  const desk = createDeskClient(stack.stack.siteUrl);
  const numbers = Array.from({ length: COINS }, (_, n) => n);
  await inParallel(LAUNCHES_AT_ONCE, numbers, async (n) => {
    // The dev buy pays fees in quote tokens, the sale in the coin: other amounts for each coin.
    const { prepared } = await creator.launchToEnd({ devBuySol: 0.05 + n / 100 });
    const sale = { mint: prepared.mint, side: 'sell', amount: String(1_000 + n) } as const;
    await trade(stack.connection, desk, creator.keypair, sale);
  });
  const launched = stack.db.selectFrom('tokens').select(['mint', 'pool', 'quoteMint']);
  coins = await launched.where('creator', '=', creator.address.toBase58()).execute();
});
afterAll(() => stack.close());

it('claim-all over 30 coins, killed anywhere, pays each once: client, worker, API, Temporal, PostgreSQL', async () => {
  const wallet = creator.address.toBase58();
  const fees = new Map(await feesOfAll());
  expect(fees.size).toBe(COINS);
  expect([...fees.values()].filter(([base, quote]) => base > 0n && quote > 0n)).toHaveLength(COINS);
  const before = new Set((await historyOf(stack.connection, wallet)).map(({ signature }) => signature));

  const kills = drawKills(createDice(SEED), KILLED, LAST_KILL);
  console.log(`KILL_SEED=${SEED}: ${kills.map(({ part, at }) => `${part} at ${at}`).join(', ')}`);
  const run = startClaimRun(stack.stack.apiUrl, creator.keypair);
  const kill = (part: (typeof KILLED)[number]) => (part === 'client' ? run.kill() : stack.kill(part));
  const made = await killAlong(kills, { progress, kill, ended: run.ended });
  await stack.control('setSlotMs', { slotMs: FAST_SLOT_MS });
  await eventually(async () => (await openClaims()) === 0 || null, 'the end of every claim');

  const paid = await paidByPools(stack, wallet, coins, before);
  const paidByCoin = coins.map(({ mint }) => [mint, paid.filter((one) => one.mint === mint).map(amountsOf)] as const);
  expect(new Map(paidByCoin)).toEqual(new Map([...fees].map(([mint, announced]) => [mint, [announced]])));
  expect(await finalizedClaims()).toEqual(paid.toSorted(bySignature));
  const listed = (await listedClaims(stack.stack.apiUrl, wallet)).map(paymentOf);
  expect(listed.toSorted(bySignature)).toEqual(paid.toSorted(bySignature));
  expect(await feesOfAll()).toEqual(coins.map(({ mint }) => [mint, [0n, 0n]]));
  expect([made, await run.ended]).toEqual([
    KILLED.length,
    expect.toSatisfy((clients: number) => clients > CLIENTS.length),
  ]);
});

type Amounts = readonly [baseRaw: bigint, quoteRaw: bigint];

const amountsOf = ({ baseRaw, quoteRaw }: PoolPayment): Amounts => [baseRaw, quoteRaw];

const bySignature = (a: PoolPayment, b: PoolPayment): number => (a.signature < b.signature ? -1 : 1);

/** What can be claimed of each coin, raw units. */
function feesOfAll(): Promise<(readonly [mint: string, fees: Amounts])[]> {
  return inParallel(READS_AT_ONCE, coins, async ({ mint }) => {
    const { data } = await readFees(stack, mint);
    if (!data?.claimable) throw new Error(`the fees of ${mint} are not known`);
    const { base, quote } = data.claimable;
    return [mint, [BigInt(base.amountRaw), BigInt(quote.amountRaw)]] as const;
  });
}

/** Steps that the furthest claim of each coin has made. */
async function progress(): Promise<number> {
  const { rows } = await sql<{ steps: number }>`
    select coalesce(sum(steps), 0)::int as steps
    from (select max(${STEPS}) as steps from claim_intents group by mint) as furthest`.execute(stack.db);
  return rows[0]?.steps ?? 0;
}

/** Submitted claims that are not over. */
async function openClaims(): Promise<number> {
  const open = stack.db.selectFrom('claimIntents').select('intentId');
  return (await open.where('state', 'in', ['submitted', 'relaying', 'relayed', 'killing']).execute()).length;
}

/** What the table of claims has as paid, by signature. */
async function finalizedClaims(): Promise<PoolPayment[]> {
  const claims = stack.db.selectFrom('claimIntents').select(['mint', 'signature', 'baseRaw', 'quoteRaw']);
  const rows = await claims.where('state', '=', 'finalized').execute();
  return rows.map((row) => ({ ...row, signature: row.signature ?? '' })).toSorted(bySignature);
}

function paymentOf({ mint, signature, baseRaw, quoteRaw }: { [Field in keyof PoolPayment]: string }): PoolPayment {
  return { mint, signature, baseRaw: BigInt(baseRaw), quoteRaw: BigInt(quoteRaw) };
}
