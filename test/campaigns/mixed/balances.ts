import { PublicKey } from '@solana/web3.js';
import { sql } from 'kysely';
import { transferTax } from '../../../chain/exchange/pool-math.ts';
import { inParallel } from '../../../chain/rpc/in-parallel.ts';
import { readTokens } from '../../../chain/tokens/token-info.ts';
import { balanceOf } from '../../support/claim/claim-market.ts';
import type { RealStack } from '../chaos/processes/real-stack.ts';
import type { MadeClaim, Saver } from './markets.ts';
import { JUDGED_AT_ONCE } from './recount.ts';
import { landedClaims } from '../../support/claim/chain-claims.ts';
import * as claims from '../../../db/claim/claims.ts';

/** Pots hold to the unit what the books say, and what strangers gave. */
export async function potProblems(stack: RealStack, given: ReadonlyMap<string, bigint>): Promise<string[]> {
  const { rows } = await sql<{ pot: string; mint: string; raw: bigint }>`
    select pot, moved.mint, sum(moved.raw)::numeric(39, 0) as raw
    from reward_transactions join reward_tokens using (mint) join tokens using (mint)
    cross join lateral (values (reward_transactions.mint, base_raw), (quote_mint, quote_raw)) as moved (mint, raw)
    where reward_transactions.state = 'done' group by pot, moved.mint`.execute(stack.db);
  const each = await inParallel(JUDGED_AT_ONCE, rows, async ({ pot, mint, raw }) => {
    const held = await heldBy(stack, pot, mint);
    const least = raw + (given.get(`${pot} ${mint}`) ?? 0n);
    return held === least ? [] : [`pot ${pot} holds ${held} of ${mint} instead of ${least}`];
  });
  return each.flat();
}

/** Who bought once has got exactly what the books say that they were paid, less the transfer fee of a taxed quote token. */
export async function saverProblems({ db }: RealStack, savers: readonly Saver[]): Promise<string[]> {
  const each = await inParallel(JUDGED_AT_ONCE, savers, async ({ market, before }) => {
    const owner = market.trader.publicKey;
    const rows = await db
      .selectFrom('rewardPayouts')
      .select('amountRaw')
      .where('owner', '=', owner.toBase58())
      .where('state', '=', 'paid')
      .where('kind', '=', 'holder')
      .execute();
    const { transferFee } = market.quote;
    const paid = rows.reduce((sum, { amountRaw }) => sum + amountRaw - transferTax(transferFee, amountRaw), 0n);
    const got = (await market.holdings(owner)).quote - before;
    return paid === got ? [] : [`holder ${owner.toBase58()} of ${market.mint} got ${got}, the books say ${paid}`];
  });
  return each.flat();
}

/** A claim of which it was said that it landed was paid, once; whatever else was said, the books and the chain say the same. */
export async function claimProblems(stack: RealStack, made: readonly MadeClaim[]): Promise<string[]> {
  const each = await inParallel(JUDGED_AT_ONCE, made, async ({ intentId, hasLanded }) => {
    const intent = await claims.byId(stack.db, intentId);
    const signatures = await landedClaims(stack, intentId);
    // Strangers send the same memo, and name the same nonce; only the creator signs for the creator.
    const signed = await Promise.all(signatures.map((one) => isSignedBy(stack, one, intent?.wallet ?? '')));
    const [landed, isPaid] = [signed.filter(Boolean).length, intent?.state === 'finalized'];
    if (landed === (isPaid ? 1 : 0) && (!hasLanded || isPaid)) return [];
    const told = hasLanded ? 'landed' : 'not landed';
    return [`claim ${intentId} was told to have ${told}, is ${intent?.state} and landed ${landed} times`];
  });
  return each.flat();
}

async function isSignedBy({ connection }: RealStack, signature: string, wallet: string): Promise<boolean> {
  const options = { commitment: 'confirmed', maxSupportedTransactionVersion: 0 } as const;
  const landed = await connection.getParsedTransaction(signature, options);
  const accounts = landed?.transaction.message.accountKeys ?? [];
  return accounts.some(({ pubkey, signer }) => signer && pubkey.toBase58() === wallet);
}

async function heldBy(stack: RealStack, owner: string, mint: string): Promise<bigint> {
  const [token] = await readTokens(stack.connection, [new PublicKey(mint)]);
  if (!token) throw new Error(`${mint} is not there`);
  return balanceOf(stack, token, new PublicKey(owner));
}
