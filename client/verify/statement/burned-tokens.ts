import { burnsIn, sumOf } from '../burns.ts';
import type { Chain } from '../chain.ts';
import { Difference, NotProvable, type Outcome } from '../check.ts';
import { groupBy } from '../group-by.ts';
import type { Landed } from '../landed.ts';
import { listedTransaction } from '../listed-transaction.ts';
import type { ProvenRow } from './chain-rows.ts';

/** Coins of a purchase or a harvest, which must be burned. */
interface Brought {
  readonly account: string;
  readonly signature: string;
}

interface Burner {
  /** Wallets that the coins came to. */
  readonly owners: readonly string[];
  /** Transactions to read of each account. */
  readonly most: number;
}

/**
 * Requires that coins came only to these wallets, and left their accounts only by burns. Each burn is of exactly what
 * one transaction brought: also of other statements' rows, because budgets share their accounts.
 * @throws NotProvable while some of these rows' are not burned yet
 */
export async function checkBurned(
  chain: Chain,
  proven: readonly ProvenRow[],
  { owners, most }: Burner,
): Promise<Outcome<null>> {
  const brought = proven.flatMap((row) => broughtBy(row, owners));
  let left = 0;
  for (const [account, own] of groupBy(brought, (one) => one.account))
    left += await readBurns(chain, account, { own, most });
  if (left > 0) throw new NotProvable(`what ${left} of ${brought.length} rows brought is not burned yet`);
  return { how: `what ${brought.length} rows brought was burned, to the unit`, value: null };
}

/** @throws Difference where another wallet got some of the coins */
function broughtBy({ row, landed }: ProvenRow, owners: readonly string[]): Brought[] {
  return landed.tokens.flatMap(({ account, owner, mint, before, after }) => {
    const raw = (after ?? 0n) - (before ?? 0n);
    if (mint !== row.mint || raw <= 0n) return [];
    if (owners.includes(owner)) return [{ account, signature: landed.signature }];
    const expected = { value: owners.join(' or '), from: 'wallets of the list that burn' };
    throw new Difference('coins that are to be burned went to another wallet', expected, {
      value: `${raw} to ${owner}`,
      from: landed.signature,
    });
  });
}

/** Coins that came into an account, raw units. */
interface Gain {
  readonly signature: string;
  readonly raw: bigint;
}

interface Account {
  readonly own: readonly Brought[];
  readonly most: number;
}

/** Returns how many rows of the account are not burned yet. A burn is of the oldest gain of its amount. */
async function readBurns(chain: Chain, account: string, { own, most }: Account): Promise<number> {
  const [open, burnedGains]: [Gain[], Set<string>] = [[], new Set()];
  const { entries, isWhole } = await chain.history(account, { most });
  if (!isWhole) throw new NotProvable(`more than ${most} transactions name ${account}: raise --most`);
  for (const { signature, hasFailed } of entries.toReversed()) {
    if (hasFailed) continue;
    const landed = await listedTransaction(chain, signature);
    const change = landed.tokens.find((one) => one.account === account);
    const raw = (change?.after ?? 0n) - (change?.before ?? 0n);
    if (!change || raw === 0n) continue;
    if (raw > 0n) {
      open.push({ signature, raw });
      continue;
    }
    mustBeBurned(landed, account, { mint: change.mint, left: -raw });
    const burned = open.find((one) => one.raw === -raw);
    if (!burned) throw otherAmount(landed, { open, left: -raw });
    open.splice(open.indexOf(burned), 1);
    burnedGains.add(burned.signature);
  }
  return own.filter((one) => !burnedGains.has(one.signature)).length;
}

function mustBeBurned(
  landed: Landed,
  account: string,
  { mint, left }: { readonly mint: string; readonly left: bigint },
): void {
  const { loaded, signature } = landed;
  // An account from a lookup table is covered by no signature.
  const isSigned = !loaded.includes(account) && !loaded.includes(mint);
  const own = burnsIn(landed).filter((burn) => isSigned && burn.account === account && burn.mint === mint);
  const burned = sumOf(own);
  if (burned === left) return;
  const expected = { value: `a burn of ${left} of ${mint}`, from: `balances of ${account}` };
  throw new Difference('coins that are to be burned left another way', expected, {
    value: `burns of ${burned}`,
    from: signature,
  });
}

interface OtherAmount {
  readonly open: readonly Gain[];
  readonly left: bigint;
}

function otherAmount({ signature }: Landed, { open, left }: OtherAmount): Difference {
  const due = open.map(({ raw, signature: by }) => `${raw} by ${by}`).join(', ') || 'nothing more';
  const expected = { value: due, from: 'what came in and is not burned' };
  return new Difference('a burn is not of what came in', expected, { value: String(left), from: signature });
}
