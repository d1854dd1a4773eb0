import { createTransferCheckedInstruction } from '@solana/spl-token';
import { Keypair } from '@solana/web3.js';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { drawKills, killAlong } from '../campaigns/chaos/processes/kill-along.ts';
import { type RealStack, startRealStack } from '../campaigns/chaos/processes/real-stack.ts';
import { inParallel } from '../../chain/rpc/in-parallel.ts';
import { classifyDatabaseError } from '../../db/errors.ts';
import { accountOf, land, openAccount } from '../support/claim/claim-market.ts';
import { type DeskMarket, openDeskMarket } from '../support/claim/desk-market.ts';
import { createDice } from '../support/dice.ts';
import { eventually } from '../support/platform/eventually.ts';
import { keepPlanning } from '../support/reward/planning.ts';
import { paidFromPots, type PotPayment } from '../support/reward/pot-payments.ts';
import { csvRewards, type ListedPayout, listedRewards } from '../support/wallets/wallet-lists.ts';

/** The moments of the kills follow from it. */
const SEED = Number(process.env['KILL_SEED'] ?? 1);

/** A round mostly waits for finality: rounds of many coins take as long as those of one. */
const [COINS, ROUNDS_EACH] = [20, 5] as const;
const MARKETS_AT_ONCE = 5;

const KILLED = ['worker', 'worker', 'worker', 'worker', 'temporal', 'postgres'] as const;

/** Of more than 500 movements. */
const LAST_KILL = 400;

const SLOT_MS = 30;

/** They hold every coin, and trade nothing: what they get in quote tokens are rewards. */
const holders = Array.from({ length: 4 }, () => Keypair.generate().publicKey);

let stack: RealStack;
let markets: DeskMarket[];

beforeAll(async () => {
  stack = await startRealStack({
    REWARD_ROUND_EVERY_SECONDS: '86400',
    REWARD_SALE_WINDOW_SECONDS: '0',
    REWARD_SNAPSHOT_WINDOW_SLOTS: '3',
    MARKET_INDEX_EVERY_MS: '200',
  });
  await stack.control('setSlotMs', { slotMs: SLOT_MS });
  markets = await inParallel(MARKETS_AT_ONCE, Array.from({ length: COINS }), openHeldMarket);
});
afterAll(() => stack.close());

/** A reward coin whose trader gave each holder a fifth of what it bought. */
async function openHeldMarket(): Promise<DeskMarket> {
  const launch = { mode: 'reward', rewardTaxBps: 100 };
  const market = await openDeskMarket(stack, 'USDL', { funds: '100000', launch });
  await market.trade('buy', '1000');
  const { base, trader } = market;
  const raw = (await market.holdings(trader.publicKey)).base / 5n;
  const from = accountOf(base, trader.publicKey);
  const { mint, decimals, tokenProgram } = base;
  const gifts = holders.flatMap((holder) => {
    const to = accountOf(base, holder);
    const gift = createTransferCheckedInstruction(from, mint, to, trader.publicKey, raw, decimals, [], tokenProgram);
    return [openAccount(base, holder, trader), gift];
  });
  await land(stack, trader, gifts);
  return market;
}

it('a wallet’s rewards over 100 rounds with kills equal the transfers to it on the chain, to the unit', async () => {
  const kills = drawKills(createDice(SEED), KILLED, LAST_KILL);
  console.log(`KILL_SEED=${SEED}: ${kills.map(({ part, at }) => `${part} at ${at}`).join(', ')}`);
  const planning = keepPlanning(stack);
  const ended = Promise.all(markets.map((market) => untilPaid(market)));
  expect(await killAlong(kills, { progress, kill: (part) => stack.kill(part), ended })).toBe(kills.length);
  await planning.stop();
  await eventually(async () => (await openRounds()) === 0 || null, 'the end of every round');

  const paid = await paidFromPots(stack, await coinsWithPots());
  for (const wallet of holders.map((holder) => holder.toBase58())) {
    const onChain = (paid.get(wallet) ?? []).toSorted(bySignature);
    expect(onChain.length).toBeGreaterThanOrEqual(COINS * ROUNDS_EACH);
    const { payouts, days } = await listedRewards(stack.stack.apiUrl, wallet);
    expect(paymentsOf(payouts)).toEqual(onChain);
    expect(paymentsOf(await csvRewards(stack.stack.apiUrl, wallet))).toEqual(onChain);
    expect(sumsByMint(days)).toEqual(sumsByMint(onChain));
  }
});

/** Trades a coin once for each round, until so many rounds have paid its holders. */
async function untilPaid(market: DeskMarket): Promise<void> {
  const { mint } = market;
  for (let rounds = await roundsOf(mint); rounds.paid < ROUNDS_EACH;) {
    const before = rounds.ended;
    // The desk fails while a part is away; a trade that was made all the same only adds to the tax.
    await eventually(() => market.trade('buy', '200').catch(() => null), `a trade of ${mint}`);
    rounds = await eventually(() => roundsAfter(mint, before), `round ${before + 1} of ${mint}`);
  }
}

interface EndedRounds {
  readonly ended: number;
  /** Those of them that paid holders. */
  readonly paid: number;
}

/** Null until another round has ended, and while the database is away. */
async function roundsAfter(mint: string, before: number): Promise<EndedRounds | null> {
  try {
    const rounds = await roundsOf(mint);
    return rounds.ended > before ? rounds : null;
  } catch (error) {
    if (classifyDatabaseError(error) === 'connection') return null;
    throw error;
  }
}

async function roundsOf(mint: string): Promise<EndedRounds> {
  const { rows } = await sql<EndedRounds>`
    select count(*)::int as ended, count(*) filter (where exists (
      select from reward_payouts where round_id = reward_rounds.id and state = 'paid' and kind = 'holder'))::int as paid
    from reward_rounds where mint = ${mint} and state = 'done'`.execute(stack.db);
  return rows[0] ?? { ended: 0, paid: 0 };
}

async function openRounds(): Promise<number> {
  return (await stack.db.selectFrom('rewardRounds').select('id').where('state', '<>', 'done').execute()).length;
}

/** Movements of rounds that are made and booked. */
async function progress(): Promise<number> {
  const done = stack.db.selectFrom('rewardTransactions').select('n').where('state', '=', 'done');
  return (await done.execute()).length;
}

function coinsWithPots() {
  const pots = stack.db.selectFrom('rewardTokens').innerJoin('tokens', 'tokens.mint', 'rewardTokens.mint');
  return pots.select(['tokens.mint', 'quoteMint', 'pot']).execute();
}

const bySignature = (a: PotPayment, b: PotPayment): number => (a.signature < b.signature ? -1 : 1);

function paymentsOf(listed: readonly ListedPayout[]): PotPayment[] {
  const payments = listed.map(({ mint, signature, amountRaw }) => ({ mint, signature, amountRaw: BigInt(amountRaw) }));
  return payments.toSorted(bySignature);
}

function sumsByMint(rows: readonly { readonly mint: string; readonly amountRaw: string | bigint }[]) {
  const sums = new Map<string, bigint>();
  for (const { mint, amountRaw } of rows) sums.set(mint, (sums.get(mint) ?? 0n) + BigInt(amountRaw));
  return sums;
}
