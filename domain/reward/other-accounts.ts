/** Limit per owner: a stranger can open accounts for anybody, and each costs a verifier two calls. */
export const MOST_OTHER_ACCOUNTS = 16;

/** Token accounts beside the associated one, base58, ascending; `+`: more than {@link MOST_OTHER_ACCOUNTS}. */
export type OtherAccounts = readonly string[] | '+';

/** By owner (base58). Owners without such accounts are absent. */
export type OtherAccountsByOwner = ReadonlyMap<string, OtherAccounts>;

/** `accounts` may repeat, and may contain `+`. */
export function otherAccountsOf(accounts: Iterable<string>): OtherAccounts {
  const distinct = [...new Set(accounts)];
  return distinct.includes('+') || distinct.length > MOST_OTHER_ACCOUNTS ? '+' : distinct.sort();
}

/** Accounts that at least one observation has. */
export function unionOfAccounts(observations: readonly OtherAccountsByOwner[]): OtherAccountsByOwner {
  const owners = new Set(observations.flatMap((one) => [...one.keys()]));
  return new Map(
    Array.from(owners, (owner) => [owner, otherAccountsOf(observations.flatMap((one) => one.get(owner) ?? []))]),
  );
}

/** As a row has it. */
export function textOfAccounts(accounts: OtherAccounts): string {
  return accounts === '+' ? accounts : accounts.join(',');
}
