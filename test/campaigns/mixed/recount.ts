import { type ParsedTransactionWithMeta, PublicKey } from '@solana/web3.js';
import { type Selectable, sql } from 'kysely';
import Type from 'typebox';
import { Check } from 'typebox/value';
import { transferTax } from '../../../chain/exchange/pool-math.ts';
import { inParallel } from '../../../chain/rpc/in-parallel.ts';
import { readTokens } from '../../../chain/tokens/token-info.ts';
import type { Db } from '../../../db/connect.ts';
import type { BurnTable } from '../../../db/schema/burns.ts';
import { TOTAL_SUPPLY_RAW } from '../../../domain/token-facts.ts';
import { createLedger, gainOf, historyOf, type Ledger } from '../../support/platform/chain-ledger.ts';
import type { RealStack } from '../chaos/processes/real-stack.ts';

/** What the books say that one transaction brought an owner of one token, in raw units; less than zero where it took. */
interface Booking {
  readonly purpose: string;
  readonly signature: string;
  readonly owner: string;
  readonly mint: string;
  readonly raw: bigint;
  /** Whether `raw` is what was sent: less the transfer fee of its mint arrived. */
  readonly isSent: boolean;
}

/** What was compared, and every difference in words. */
export interface Recount {
  readonly bookings: number;
  readonly steps: number;
  readonly problems: readonly string[];
}

/** So many of what is judged are looked at together: after hours there is much. */
export const JUDGED_AT_ONCE = 8;

/**
 * Compares every booked amount with the transaction that it was booked from, and every movement that lanes have on the chain with
 * the books: none is missing, none was made twice, none is unknown. Read from the chain with none of the service's reading.
 */
export async function recount(stack: RealStack): Promise<Recount> {
  const ledger = createLedger(stack.connection);
  const booked = await bookingsOf(stack.db, stack.stack.treasury, await platformWallet(stack.db));
  const bookings = await arrived(stack, booked);
  const amounts = await inParallel(JUDGED_AT_ONCE, bookings, async (booking) =>
    amountProblems(booking, await ledger(booking.signature)),
  );
  const burns = await stack.db.selectFrom('burns').select(['signature', 'mint', 'amountRaw']).execute();
  const burned = await inParallel(JUDGED_AT_ONCE, burns, async (burn) =>
    burnProblems(burn, await ledger(burn.signature)),
  );
  const { steps, problems } = await laneProblems(stack, ledger);
  return {
    bookings: bookings.length + burns.length,
    steps,
    problems: [...amounts.flat(), ...burned.flat(), ...problems, ...(await supplyProblems(stack, ledger))],
  };
}

/** Bookings with what arrived of what was sent. */
async function arrived({ connection }: RealStack, bookings: readonly Booking[]): Promise<Booking[]> {
  const mints = [...new Set(bookings.filter(({ isSent }) => isSent).map(({ mint }) => mint))];
  const tokens = await readTokens(
    connection,
    mints.map((mint) => new PublicKey(mint)),
  );
  const fees = new Map(tokens.map((token, at) => [mints[at], token?.transferFee]));
  return bookings.map((booking) => {
    const { mint, raw, isSent } = booking;
    return isSent ? { ...booking, raw: raw - transferTax(fees.get(mint), raw) } : booking;
  });
}

function amountProblems(
  { purpose, signature, owner, mint, raw }: Booking,
  landed: ParsedTransactionWithMeta | null,
): string[] {
  if (!landed?.meta) return [`${purpose} is booked, but ${signature} is not on the chain`];
  if (landed.meta.err) return [`${purpose} is booked, but ${signature} failed`];
  const moved = gainOf(landed, owner, mint);
  return moved === raw ? [] : [`${purpose} is booked with ${raw} of ${mint} for ${owner}, the chain moved ${moved}`];
}

type Burn = Pick<Selectable<BurnTable>, 'signature' | 'mint' | 'amountRaw'>;

function burnProblems({ signature, mint, amountRaw }: Burn, landed: ParsedTransactionWithMeta | null): string[] {
  const burned = landed?.meta?.err === null ? burnedIn(landed, mint) : 0n;
  return burned === amountRaw ? [] : [`a burn of ${amountRaw} of ${mint} is booked, ${signature} burned ${burned}`];
}

/** Raw units of a token that the instructions of a transaction burned. */
function burnedIn({ transaction, meta }: ParsedTransactionWithMeta, mint: string): bigint {
  const inner = (meta?.innerInstructions ?? []).flatMap(({ instructions }) => instructions);
  const all: readonly unknown[] = [...transaction.message.instructions, ...inner];
  return all
    .flatMap((instruction) => (Check(BurnSchema, instruction) ? [instruction.parsed.info] : []))
    .filter((info) => info.mint === mint)
    .reduce((sum, { amount, tokenAmount }) => sum + BigInt(amount ?? tokenAmount?.amount ?? 0), 0n);
}

/** `burn` and `burnChecked`, as nodes parse them. */
const BurnSchema = Type.Object({
  parsed: Type.Object({
    type: Type.Union([Type.Literal('burn'), Type.Literal('burnChecked')]),
    info: Type.Object({
      mint: Type.String(),
      amount: Type.Optional(Type.String()),
      tokenAmount: Type.Optional(Type.Object({ amount: Type.String() })),
    }),
  }),
});

/** Of every token there is as much as ever was, but for what was burned by the books, and what emptied launch wallets had left. */
async function supplyProblems({ db, connection }: RealStack, ledger: Ledger): Promise<string[]> {
  const { rows } = await sql<{ mint: string; burnedRaw: bigint; emptied: string | null }>`
    select tokens.mint, coalesce(sum(amount_raw), 0)::numeric(39, 0) as burned_raw, (
      select signature from chain_transactions where purpose = 'emptying/' || quote_id and status = 'finalized'
    ) as emptied
    from tokens left join burns on burns.mint = tokens.mint group by tokens.mint, quote_id`.execute(db);
  const each = await inParallel(JUDGED_AT_ONCE, rows, async ({ mint, burnedRaw, emptied }) => {
    const emptying = emptied === null ? null : await ledger(emptied);
    const supply = TOTAL_SUPPLY_RAW - burnedRaw - (emptying ? burnedIn(emptying, mint) : 0n);
    const { value } = await connection.getTokenSupply(new PublicKey(mint), 'confirmed');
    return BigInt(value.amount) === supply ? [] : [`there are ${value.amount} of ${mint} instead of ${supply}`];
  });
  return each.flat();
}

/** Every amount that the books have of what was moved once. A share of an airdrop arrives less the coin's tax, rounded up. */
async function bookingsOf(db: Db, treasury: string, platform: string): Promise<Booking[]> {
  const { rows } = await sql<Booking>`
    with rewards as (
      select 'reward/' || round_id || '/' || n as purpose, signature, pot as owner, moved.*
      from reward_transactions join reward_tokens using (mint) join tokens using (mint)
      cross join lateral (values (reward_transactions.mint, base_raw), (quote_mint, quote_raw)) as moved (mint, raw)
      where reward_transactions.state = 'done'
    ), payouts as (
      select 'reward/' || round_id || '/' || n as purpose, signature, owner, quote_mint as mint, amount_raw as raw
      from reward_payouts join reward_transactions using (round_id, n) join tokens using (mint)
      where reward_payouts.state = 'paid' and reward_payouts.kind = 'holder'
    ), sweeps as (
      select purpose, signature, moved.owner, moved.mint, moved.raw from fee_harvests
      cross join lateral (values (${platform}, fee_harvests.mint, base_raw), (${treasury}, quote_mint, quote_raw))
        as moved (owner, mint, raw)
    ), purchases as (
      select 'buyback/' || id || '/swap' as purpose, signature, ${treasury} as owner, moved.* from buyback_rounds
      cross join lateral (values (quote_mint, -spent_raw), (buyback_rounds.mint, bought_raw)) as moved (mint, raw)
      where state <> 'planned'
    ), claimed as (
      select 'claim/' || intent_id as purpose, signature, wallet as owner, moved.* from claim_intents join tokens using (mint)
      cross join lateral (values (claim_intents.mint, base_raw), (quote_mint, quote_raw)) as moved (mint, raw)
      where state = 'finalized'
    ), restocked as (
      select 'restock/' || id as purpose, signature, ${treasury} as owner, mint, received_raw as raw
      from restock_rounds where state in ('done', 'short')
    ), delivered as (
      select 'airdrop/' || airdrops.quote_id || '/' || batch as purpose, signature, wallet as owner, airdrops.mint,
        amount_raw - ceil(amount_raw * coalesce(reward_tax_bps, 0) / 10000) as raw
      from airdrops join airdrop_shares using (quote_id) join airdrop_batches using (quote_id, batch)
      join tokens on tokens.mint = airdrops.mint
    )
    select purpose, signature, owner, mint, raw::numeric(39, 0), is_sent from (
      select *, false as is_sent from rewards union all select *, true from payouts
      union all select *, false from sweeps union all select *, false from purchases
      union all select *, false from claimed union all select *, false from restocked
      union all select *, false from delivered
    ) as every`.execute(db);
  return rows;
}

async function platformWallet(db: Db): Promise<string> {
  const lanes = db.selectFrom('lanes').select('authority').orderBy('lane').limit(1);
  return (await lanes.executeTakeFirstOrThrow()).authority;
}

/** Movements that the lanes' own histories have against those that the ledger has. */
async function laneProblems({ db, connection }: RealStack, ledger: Ledger): Promise<Omit<Recount, 'bookings'>> {
  const lanes = await db.selectFrom('lanes').select(['lane', 'mint', 'authority']).execute();
  const unread: string[] = [];
  const stepped = await inParallel(JUDGED_AT_ONCE, lanes, async ({ mint, authority }) => {
    const succeeded = (await historyOf(connection, mint)).filter(({ err }) => err === null);
    const each = await inParallel(JUDGED_AT_ONCE, succeeded, async ({ signature }) => ({
      signature,
      landed: await ledger(signature),
    }));
    unread.push(...each.filter(({ landed }) => landed === null).map(({ signature }) => signature));
    return each
      .filter(({ landed }) => landed && gainOf(landed, authority, mint) !== 0n)
      .map(({ signature }) => signature);
  });
  const onChain = stepped.flat();
  const done = await db.selectFrom('laneSteps').select(['purpose', 'signature']).where('state', '=', 'done').execute();
  const inBooks = new Set(done.map(({ signature }) => signature));
  const purposes = done.map(({ purpose }) => purpose);
  return {
    steps: onChain.length,
    problems: [
      ...unread.map((signature) => `${signature} is in a lane's history, and not to be read`),
      ...onChain.filter((signature) => !inBooks.has(signature)).map((signature) => `${signature} moved, unbooked`),
      ...[...inBooks].filter((signature) => !onChain.includes(signature ?? '')).map((one) => `${one} moved nothing`),
      ...purposes.filter((purpose, at) => purposes.indexOf(purpose) !== at).map((purpose) => `${purpose} moved twice`),
      ...purposes.filter((purpose) => purpose === null).map(() => 'a movement has no purpose'),
    ],
  };
}
