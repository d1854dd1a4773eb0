import type { Chain } from '../chain.ts';
import { Difference, mustEqual, NotProvable, type Outcome } from '../check.ts';
import { gainOf, type Landed } from '../landed.ts';
import { mustBePool, mustKeepSol } from '../market-pool.ts';
import { mustKeepAccounts } from '../kept-accounts.ts';
import { isBy, lossOf, type PotHistory } from './pot-history.ts';
import type { RoundDocument } from './round-document.ts';

export async function checkMovements(
  chain: Chain,
  document: RoundDocument,
  { before }: PotHistory,
  most: number,
): Promise<Outcome<null>> {
  const { movements, pot, mint, quoteMint, pool } = document;
  mustBeApart(document);
  if (movements.length > most) throw new NotProvable(`it states ${movements.length} movements: raise --most`);
  const read = new Map(before.map((landed) => [landed.signature, landed]));
  for (const { kind, signature, slot, baseRaw, quoteRaw } of movements) {
    const landed = read.get(signature) ?? (await chain.transaction(signature));
    if (!landed) throw new NotProvable(`${chain.name} does not have the ${kind} ${signature}`);
    const from = `${signature} on ${chain.name}`;
    const stated = (value: unknown) => ({ value: String(value), from: `the ${kind} in the document` });
    mustEqual(`a ${kind} has failed`, stated('landed'), { value: landed.hasFailed ? 'failed' : 'landed', from });
    mustEqual(`a ${kind} has another slot`, stated(slot), { value: String(landed.slot), from });
    const [base, quote] = [gainOf(landed, pot, mint), gainOf(landed, pot, quoteMint)];
    mustEqual(`a ${kind} moved other coins of the pot`, stated(baseRaw), { value: String(base), from });
    mustEqual(`a ${kind} moved other quote tokens of the pot`, stated(quoteRaw), { value: String(quote), from });
    // By the amount, not by the stated kind: a thief writes any kind.
    if (baseRaw < 0n) mustSellToPool(document, landed);
  }
  const known = new Set(movements.map(({ signature }) => signature));
  for (const landed of before.filter((one) => isBy(pot, one))) {
    mustKeepAccounts(landed, pot, 'the pot');
    const raw = lossOf(landed, pot, mint);
    if (raw <= 0n || known.has(landed.signature)) continue;
    if (document.number > 1 && isSale(document, landed))
      throw new NotProvable(
        `${raw} coins were sold in ${landed.signature}, which the document does not have: a round before it may have sold, and ended without payments and seal; verify statement has its row`,
      );
    const expected = { value: 'no sale beside those of the document', from: '`movements`' };
    throw new Difference('coins left the pot outside of the document', expected, {
      value: String(raw),
      from: landed.signature,
    });
  }
  const hasSold = movements.some(({ baseRaw }) => baseRaw < 0n);
  // The operator writes `pool`: it could be the wallet of a friend who buys.
  const market = { coin: mint, quoteMint, how: 'a sale is in another market', from: 'the document' };
  if (hasSold) await mustBePool(chain, pool, market);
  const where = hasSold ? ` by ${pool}, a pool of coin and quote token` : '';
  return {
    how: `${movements.length} collections and sales as stated${where}, no other since the last seal`,
    value: null,
  };
}

/** @throws Difference where a movement is stated twice: its amounts would count twice */
function mustBeApart({ movements }: RoundDocument): void {
  const seen = new Set<string>();
  for (const { kind, signature } of movements) {
    const once = { value: 'once', from: 'docs/verify.md' };
    if (seen.has(signature))
      throw new Difference('a movement is stated twice', once, {
        value: signature,
        from: `the ${kind} in the document`,
      });
    seen.add(signature);
  }
}

/** The pool alone got the coins, and paid the pot for them. */
function isSale(document: RoundDocument, landed: Landed): boolean {
  try {
    mustSellToPool(document, landed);
  } catch (error) {
    if (error instanceof Difference) return false;
    throw error;
  }
  return gainOf(landed, document.pot, document.quoteMint) > 0n;
}

/** Requires that the sale is between the pot and the coin's pool alone: a friend could buy at a price of its own. */
function mustSellToPool({ pot, pool, mint, quoteMint }: RoundDocument, landed: Landed): void {
  const parties = landed.tokens.filter((one) => one.mint === mint || one.mint === quoteMint);
  const others = parties.filter(
    ({ owner, before, after }) => owner !== pot && owner !== pool && (before ?? 0n) !== (after ?? 0n),
  );
  const expected = { value: pool, from: '`pool` of the document' };
  const from = `balances in ${landed.signature}`;
  for (const { owner } of others) mustEqual('a sale is not in the pool of the coin', expected, { value: owner, from });
  mustKeepSol(landed, quoteMint);
  const paid = -gainOf(landed, pool, quoteMint);
  const got = gainOf(landed, pot, quoteMint);
  if (paid >= got) return;
  const all = { value: `at least ${got}`, from: 'what the pot got' };
  throw new Difference('a sale is not in the pool of the coin', all, { value: `${paid} by ${pool}`, from });
}
