import { associatedAccount } from '../../solana/associated-account.ts';
import type { Chain } from '../chain.ts';
import { Difference } from '../check.ts';
import type { TokenChange } from '../landed.ts';
import { changesOf, newestChange } from '../newest-change.ts';
import type { HolderRow, Observation, RoundDocument } from './round-document.ts';

export interface HeldTokens {
  /** The associated account first. */
  readonly accounts: readonly string[];
  /** Sum over the accounts at each observation, by the rule of the quorum, raw units. */
  readonly balances: readonly bigint[];
}

export interface ShortHistory {
  readonly account: string;
  /** The history does not reach back to it. */
  readonly slot: number;
}

/** Number of entries of one account's history that are read. */
const MOST_OF_ACCOUNT = 1_000;

/**
 * Reads what the owner of a row held in the associated account and those that the row names. An account counts at slots
 * after which it was of this owner and coin: owners change.
 *
 * @throws Difference for a named account that was of another owner or coin, and of this one at none of the slots
 */
export async function readHeldTokens(
  chain: Chain,
  { mint, observations }: Pick<RoundDocument, 'mint' | 'observations'>,
  row: HolderRow,
  program: string,
): Promise<HeldTokens | ShortHistory> {
  const associated = associatedAccount({ wallet: row.owner, mint, program });
  const accounts = [...new Set([associated, ...(row.accounts === '+' ? [] : row.accounts)])];
  const slots = new Set(observations.flatMap(({ answerSlots }) => answerSlots));
  const sums = new Map<number, bigint>();
  for (const account of accounts) {
    const stateAfter = await readAccount(chain, account);
    let [isOwn, foreign]: [boolean, TokenChange | null] = [account === associated, null];
    for (const slot of slots) {
      const state = await stateAfter(slot);
      if (state === 'unknown') return { account, slot };
      if (state === null) continue;
      if (state.owner !== row.owner || state.mint !== mint) {
        foreign = state;
        continue;
      }
      isOwn = true;
      sums.set(slot, (sums.get(slot) ?? 0n) + (state.after ?? 0n));
    }
    if (foreign && !isOwn) throw foreignAccount(row, mint, foreign);
  }
  return { accounts, balances: observations.map((observation) => balanceAt(sums, observation)) };
}

function foreignAccount({ owner }: HolderRow, mint: string, foreign: TokenChange): Difference {
  return new Difference(
    'a row names an account that is not its owner’s',
    { value: `an account of ${owner} for ${mint}`, from: `the row of ${owner}` },
    { value: `of ${foreign.owner} for ${foreign.mint}`, from: `the history of ${foreign.account}` },
  );
}

/** Returns the balance at the quorum's place among those at the slots of the answers, the largest first. */
function balanceAt(sums: ReadonlyMap<number, bigint>, { answerSlots, quorum }: Observation): bigint {
  const balances = answerSlots.map((slot) => sums.get(slot) ?? 0n);
  return balances.sort((a, b) => (a === b ? 0 : a > b ? -1 : 1))[quorum - 1] ?? 0n;
}

/** Returns the account's newest change up to a slot; null if there is none; `unknown` if the history is too short. */
type StateAfter = (slot: number) => Promise<TokenChange | null | 'unknown'>;

async function readAccount(chain: Chain, account: string): Promise<StateAfter> {
  const { entries, isWhole } = await chain.history(account, { most: MOST_OF_ACCOUNT });
  const changeIn = changesOf(chain, account);
  return async (slot) => (await newestChange(entries, slot, changeIn)) ?? (isWhole ? null : 'unknown');
}
