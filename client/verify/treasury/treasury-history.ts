import { associatedAccounts } from '../../solana/associated-account.ts';
import type { Chain } from '../chain.ts';
import { Difference, mustEqual, NotProvable } from '../check.ts';
import type { Landed } from '../landed.ts';
import { listedTransaction } from '../listed-transaction.ts';
import { mustKeepAccounts } from '../kept-accounts.ts';
import { inOrder } from '../statement/joined-balances.ts';
import { readTokenAccount } from '../token-account.ts';

/** A transaction that changed one of the treasury's accounts, raw units. */
export interface TreasuryStep {
  readonly account: string;
  readonly owner: string;
  readonly signature: string;
  readonly slot: number;
  readonly before: bigint;
  readonly after: bigint;
  readonly landed: Landed;
}

export interface Treasury {
  /** Every wallet that ever was the treasury. */
  readonly owners: readonly string[];
  readonly quoteMint: string;
  /** Transactions to read of each account. */
  readonly most: number;
}

export interface TreasuryHistory {
  /** In the order of their slots. */
  readonly steps: readonly TreasuryStep[];
  /** Now, raw units. */
  readonly heldRaw: bigint;
}

/**
 * Reads every transaction of the treasury's accounts. Each begins with the balance that the one before it left, up to
 * the present balance. So no transaction is missing.
 */
export async function readTreasury(chain: Chain, treasury: Treasury): Promise<TreasuryHistory> {
  const steps: TreasuryStep[] = [];
  let heldRaw = 0n;
  for (const owner of treasury.owners)
    for (const account of associatedAccounts(owner, treasury.quoteMint)) {
      const own = await stepsOf(chain, { account, owner }, treasury.most);
      const now = await heldNow(chain, account, owner);
      mustJoin(chain, account, own, now);
      steps.push(...own);
      heldRaw += now;
    }
  return { steps: steps.toSorted((a, b) => a.slot - b.slot), heldRaw };
}

interface OwnAccount {
  readonly account: string;
  readonly owner: string;
}

async function stepsOf(chain: Chain, { account, owner }: OwnAccount, most: number): Promise<TreasuryStep[]> {
  const { entries, isWhole } = await chain.history(account, { most });
  if (!isWhole || entries.length > most)
    throw new NotProvable(`more than ${most} transactions name ${account}: raise --most`);
  const steps: TreasuryStep[] = [];
  for (const { signature, slot, hasFailed } of entries.toReversed()) {
    if (hasFailed) continue;
    const landed = await listedTransaction(chain, signature);
    if (landed.signers.includes(owner)) mustKeepAccount(landed, { account, owner });
    const change = landed.tokens.find((one) => one.account === account);
    const [before, after] = [change?.before ?? 0n, change?.after ?? 0n];
    if (before !== after) steps.push({ account, owner, signature, slot, before, after, landed });
  }
  return inOrder(steps);
}

/** @throws Difference where an instruction gives this account away; the treasury closes others of its own */
function mustKeepAccount(landed: Landed, { account, owner }: OwnAccount): void {
  const instructions = landed.instructions.filter(({ accounts }) => accounts[0]?.address === account);
  mustKeepAccounts({ ...landed, instructions }, owner, 'the treasury');
}

async function heldNow(chain: Chain, account: string, owner: string): Promise<bigint> {
  const [state] = await chain.accounts([account]);
  const token = state && readTokenAccount(state);
  if (!token) return 0n;
  const from = `${account} on ${chain.name}`;
  const alone = (value: string) => ({ value, from: 'docs/verify.md' });
  mustEqual('an account of the treasury has another owner', alone(owner), { value: token.owner, from });
  const delegate = { value: token.delegate ?? 'nobody', from };
  mustEqual('a delegate may move tokens of the treasury', alone('nobody'), delegate);
  const closer = { value: token.closeAuthority ?? 'nobody', from };
  mustEqual('another key may close an account of the treasury', alone('nobody'), closer);
  return token.raw;
}

function mustJoin({ name }: Chain, account: string, steps: readonly TreasuryStep[], now: bigint): void {
  let last = { signature: 'nothing', after: 0n };
  for (const step of steps) {
    if (step.before !== last.after)
      throw new NotProvable(
        `${name} lacks a transaction of ${account} between ${last.signature} and ${step.signature}`,
      );
    last = step;
  }
  if (now !== last.after)
    throw new NotProvable(`${account} has changed since ${last.signature}, or ${name} lacks a transaction: ask again`);
}

/** @throws Difference: only the treasury's own key moves its tokens */
export function mustBeSigned({ landed, owner, before, after }: TreasuryStep): void {
  if (landed.signers.includes(owner)) return;
  const found = { value: `${before - after} left, signed by ${landed.signers.join(', ')}`, from: landed.signature };
  throw new Difference('tokens left the treasury without its signature', { value: owner, from: 'the list' }, found);
}
