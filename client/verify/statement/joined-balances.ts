import { associatedAccounts } from '../../solana/associated-account.ts';
import type { Chain } from '../chain.ts';
import { Difference, mustEqual, NotProvable, type Outcome } from '../check.ts';
import { groupBy } from '../group-by.ts';
import { mustHaveKey } from '../key-wallet.ts';
import type { Landed } from '../landed.ts';
import { listedTransaction } from '../listed-transaction.ts';
import { mustKeepAccounts, mustSignForTrusted } from '../kept-accounts.ts';
import { isBy } from '../round/pot-history.ts';
import { readTokenAccount } from '../token-account.ts';
import { missing, type ProvenRow } from './chain-rows.ts';
import type { PotStatement } from './movement-rows.ts';

interface Step {
  readonly signature: string;
  readonly slot: number;
  readonly before: bigint;
  readonly after: bigint;
}

/**
 * Requires that the balance after each row is the balance before the next, up to the present one. If there is more,
 * others sent it. If there is less, it left the pot outside of the statement; the error names the transaction.
 */
export async function checkJoins(
  chain: Chain,
  { pot, mint, quoteMint }: PotStatement,
  proven: readonly ProvenRow[],
  most: number,
): Promise<Outcome<null>> {
  const gifts: string[] = [];
  for (const token of [mint, quoteMint]) {
    let received = 0n;
    for (const account of accountsOf(pot, token, proven)) {
      const steps = inOrder(stepsOf(account, proven));
      const now = await balanceNow(chain, account, pot);
      let last: Step | null = null;
      for (const step of steps) {
        received += await joined(chain, { account, last, before: step.before, until: step.signature }, most);
        last = step;
      }
      received += await joined(chain, { account, last, before: now, until: null }, most);
    }
    if (received > 0n) gifts.push(`${received} raw units of ${token} came from others`);
  }
  const how = gifts.length > 0 ? `; ${gifts.join(', ')}` : '';
  return { how: `balances join from row to row up to now${how}`, value: null };
}

function accountsOf(pot: string, token: string, proven: readonly ProvenRow[]): Set<string> {
  const own = proven.flatMap(({ landed }) =>
    landed.tokens.filter(({ owner, mint }) => owner === pot && mint === token),
  );
  return new Set([...associatedAccounts(pot, token), ...own.map(({ account }) => account)]);
}

function stepsOf(account: string, proven: readonly ProvenRow[]): Step[] {
  return proven.flatMap(({ landed: { tokens, signature, slot } }) => {
    const change = tokens.find((one) => one.account === account);
    return change ? [{ signature, slot, before: change.before ?? 0n, after: change.after ?? 0n }] : [];
  });
}

type Joined = Pick<Step, 'slot' | 'before' | 'after'>;

/**
 * Orders steps of one slot by their balances: each begins at or above the end of the one before it. Only gifts can lie
 * between two. Of several such orders it takes one that ends lowest: with another one, the next step could seem to begin
 * with a loss. Where no order is without loss, the steps stay as they are.
 */
export function inOrder<One extends Joined>(steps: readonly One[]): One[] {
  const ordered: One[] = [];
  for (const own of groupBy(steps, ({ slot }) => slot).values()) {
    const after = ordered.at(-1)?.after ?? 0n;
    ordered.push(...(lowestEnding(own, after) ?? own));
  }
  return ordered;
}

/** Orders of the steps of one slot that are tried. */
const MOST_TRIED = 10_000;

function lowestEnding<One extends Joined>(steps: readonly One[], after: bigint): One[] | null {
  const tries = { left: MOST_TRIED };
  for (const end of new Set(steps.map((one) => one.after).toSorted(compare))) {
    const ordered = withoutLoss(steps, { after, end }, tries);
    if (ordered) return ordered;
  }
  return null;
}

interface Bounds {
  /** Balance before the steps. */
  readonly after: bigint;
  /** Most after them. */
  readonly end: bigint;
}

/** Prefers a step that begins exactly where the last one ended. Null if none of the orders that are tried is without loss. */
function withoutLoss<One extends Joined>(rest: readonly One[], bounds: Bounds, tries: { left: number }): One[] | null {
  const { after, end } = bounds;
  if (!canBeJoined(rest, bounds)) return null;
  if (rest.length === 0) return [];
  const possible = rest.filter(({ before }) => before >= after);
  const byGap = possible.toSorted((a, b) => compare(a.before, b.before) || compare(a.after, b.after));
  for (const next of byGap) {
    if (tries.left-- <= 0) return null;
    const others = rest.filter((one) => one !== next);
    const ordered = withoutLoss(others, { after: next.after, end }, tries);
    if (ordered) return [next, ...ordered];
  }
  return null;
}

/** False if some step begins below all balances that another one could leave to it: then there is no order. */
function canBeJoined(rest: readonly Joined[], { after, end }: Bounds): boolean {
  const left = [after, ...rest.map((one) => one.after)].sort(compare);
  const begun = [end, ...rest.map(({ before }) => before)].sort(compare);
  return left.every((balance, index) => balance <= begun[index]!);
}

const compare = (a: bigint, b: bigint) => (a === b ? 0 : a < b ? -1 : 1);

async function balanceNow(chain: Chain, account: string, pot: string): Promise<bigint> {
  const [state, owner] = await chain.accounts([account, pot]);
  mustHaveKey(pot, owner);
  const token = state && readTokenAccount(state);
  if (!token) return 0n;
  const from = `${account} on ${chain.name}`;
  const alone = (value: string) => ({ value, from: 'docs/verify.md' });
  mustEqual('an account of the pot has another owner', alone(pot), { value: token.owner, from });
  mustEqual('a delegate may move tokens of the pot', alone('nobody'), { value: token.delegate ?? 'nobody', from });
  mustEqual('another key may close an account of the pot', alone('nobody'), {
    value: token.closeAuthority ?? 'nobody',
    from,
  });
  return token.raw;
}

interface Gap {
  readonly account: string;
  readonly last: Step | null;
  /** At its end. */
  readonly before: bigint;
  /** Null: now. */
  readonly until: string | null;
}

async function joined(chain: Chain, { account, last, before, until }: Gap, most: number): Promise<bigint> {
  const after = last?.after ?? 0n;
  if (before >= after) return before - after;
  const range = { ...(until !== null && { before: until }), ...(last && { until: last.signature }), most };
  const { entries, isWhole } = await chain.history(account, range);
  for (const { signature, hasFailed } of entries.toReversed()) {
    if (hasFailed) continue;
    const landed = await listedTransaction(chain, signature);
    const change = landed.tokens.find((one) => one.account === account);
    if (change && (change.after ?? 0n) < (change.before ?? 0n))
      await missing(
        chain,
        landed,
        'tokens left the pot outside of the statement',
        `${(change.before ?? 0n) - (change.after ?? 0n)}`,
      );
  }
  if (!isWhole)
    throw new NotProvable(`more than ${most} transactions name ${account} where ${after - before} units left`);
  const expected = { value: String(after), from: last ? `the balance after ${last.signature}` : 'a new account' };
  throw new Difference('tokens left the pot outside of the statement', expected, {
    value: String(before),
    from: until === null ? `the balance now, ${chain.name}` : `the balance before ${until}`,
  });
}

/**
 * Requires a row for each transaction that moved the pot's tokens and that the pot signed. Nothing leaves without that.
 */
export async function checkSigned(
  chain: Chain,
  { pot, mint, quoteMint, rows }: PotStatement,
  most: number,
): Promise<Outcome<null>> {
  const known = new Set(rows.map(({ signature }) => signature));
  const { entries, isWhole } = await chain.history(pot, { most });
  const signed: Landed[] = [];
  for (const { signature, hasFailed } of entries.slice(0, most)) {
    if (hasFailed) continue;
    const landed = await listedTransaction(chain, signature);
    if (!isBy(pot, landed)) continue;
    signed.push(landed);
    mustKeepAccounts(landed, pot, 'the pot');
    const lost = lossIn(landed, pot, [mint, quoteMint]);
    if (!known.has(signature) && lost !== null)
      await missing(chain, landed, 'the pot signed what the statement lacks', lost);
  }
  mustSignForTrusted(signed, pot);
  if (!isWhole || entries.length > most)
    throw new NotProvable(`more than ${most} transactions name the pot: raise --most`);
  return {
    how: `${signed.length} transactions that the pot signed: each that moved its tokens has a row`,
    value: null,
  };
}

function lossIn({ tokens }: Landed, pot: string, mints: readonly string[]): string | null {
  const lost = tokens.find(
    ({ owner, mint, before, after }) => owner === pot && mints.includes(mint) && (before ?? 0n) !== (after ?? 0n),
  );
  return lost ? `${(lost.after ?? 0n) - (lost.before ?? 0n)} of ${lost.mint}` : null;
}
