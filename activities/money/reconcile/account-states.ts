import { openWorkAccounts } from '../../../db/money/open-work-accounts.ts';
import * as pairs from '../../../db/pairs.ts';
import type { Finding } from '../../../domain/money/finding.ts';
import { type BalanceState, isHeldBack } from '../../../domain/token-balance.ts';
import type { Sight } from './accounts.ts';
import type { ReconcileDeps } from './deps.ts';

/** base58 */
export interface OwnAccount {
  readonly subject: string;
  readonly owner: string;
  readonly mint: string;
}

/** base58 */
export interface VaultAccount {
  readonly subject: string;
  readonly account: string;
}

export interface NeededAccounts {
  /** Associated accounts of the platform's wallets. */
  readonly own: readonly OwnAccount[];
  /** Of pools. */
  readonly vaults: readonly VaultAccount[];
}

/** Accounts that dev buys and open work need, beside those that hold what the books say: as many as pairs and open work. */
export async function neededAccounts({ db, wallets }: ReconcileDeps): Promise<NeededAccounts> {
  const treasury = wallets.treasury.toBase58();
  const listed = await pairs.list(db, { launchable: true });
  const ofWork = await openWorkAccounts(db);
  return {
    own: [
      ...listed.map(({ mint }) => ({ subject: `treasury/${mint}`, owner: treasury, mint })),
      ...ofWork.flatMap(({ subject, owner, mint }) => (owner === null ? [] : [{ subject, owner, mint }])),
    ],
    vaults: ofWork.flatMap(({ subject, account }) => (account === null ? [] : [{ subject, account }])),
  };
}

/** Frozen accounts, which their token's issuer froze, and altered ones, which only a key of the platform can alter. */
export function unusable(sight: Sight, { own, vaults }: NeededAccounts): Finding[] {
  const found = [
    ...own.flatMap((account) => ofOwn(sight, account)),
    ...vaults.flatMap((vault) => ofVault(sight, vault)),
  ];
  const unique = new Map(found.map((finding) => [`${finding.kind} ${finding.subject} ${finding.books}`, finding]));
  return [...unique.values()];
}

const ALTERATIONS: Readonly<Record<BalanceState, readonly string[]>> = {
  open: [],
  absent: [],
  frozen: [],
  foreign: ['it belongs to another wallet'],
};

function ofOwn(sight: Sight, { subject, owner, mint }: OwnAccount): Finding[] {
  const seen = sight.account(owner, mint);
  const books = `an account of ${owner} for ${mint} that gives and takes`;
  if (!seen) return [];
  if (isHeldBack(seen.state)) return [frozen(subject, books)];
  const alterations = [...ALTERATIONS[seen.state], ...seen.alterations];
  return alterations.length > 0 ? [altered(subject, books, alterations.join(', '))] : [];
}

function ofVault(sight: Sight, { subject, account }: VaultAccount): Finding[] {
  return sight.isFrozen(account) === true ? [frozen(subject, `a pool's account ${account} that gives and takes`)] : [];
}

function frozen(subject: string, books: string): Finding {
  return { kind: 'account-frozen', subject, books, chain: 'frozen' };
}

function altered(subject: string, books: string, chain: string): Finding {
  return { kind: 'account-altered', subject, books, chain };
}
