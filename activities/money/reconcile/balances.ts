import * as holdings from '../../../db/money/holdings.ts';
import type { Holding } from '../../../db/money/holdings.ts';
import type { Finding, FindingKind } from '../../../domain/money/finding.ts';
import { TOTAL_SUPPLY_RAW } from '../../../domain/token-facts.ts';
import { type Sight, see } from './accounts.ts';
import { neededAccounts, unusable } from './account-states.ts';
import type { ReconcileDeps } from './deps.ts';

/** Least balance by the ledger, and the kind of finding below it. */
interface Claim extends Holding {
  readonly kind: FindingKind;
  readonly subject: string;
}

/** Only a shortage is a difference: anyone can send tokens or burn their own. */
export async function compareBalances(deps: ReconcileDeps): Promise<Finding[]> {
  const { db, rpc } = deps;
  const [claims, needed, burned] = [await claimsOf(deps), await neededAccounts(deps), await holdings.burned(db)];
  const own = [...claims.map(({ subject, owner, mint }) => ({ subject, owner, mint })), ...needed.own];
  const sight = await see(rpc, {
    holders: own,
    accounts: needed.vaults.map(({ account }) => account),
    mints: burned.map(({ mint }) => mint),
  });
  return [
    ...claims.flatMap((claim) => shortOf(sight, claim)),
    ...burned.flatMap((token) => aboveOf(sight, token)),
    ...unusable(sight, { own, vaults: needed.vaults }),
  ];
}

async function claimsOf({ db, wallets }: ReconcileDeps): Promise<Claim[]> {
  const [treasury, platform] = [wallets.treasury.toBase58(), wallets.platform.toBase58()];
  const of = (kind: FindingKind, noun: string, owner?: string) => (holding: holdings.OwnHolding | Holding) => ({
    ...holding,
    kind,
    subject: `${noun}/${holding.id}`,
    owner: owner ?? ('owner' in holding ? holding.owner : ''),
  });
  const all = [
    ...(await holdings.pots(db)).map(of('pot-short', 'pot')),
    ...(await holdings.setAside(db)).map(of('treasury-short', 'treasury', treasury)),
    ...(await holdings.boughtToBurn(db)).map(of('burn-short', 'bought', treasury)),
    ...(await holdings.harvestedToBurn(db)).map(of('burn-short', 'harvested', platform)),
    ...(await holdings.undelivered(db)).map(of('airdrop-short', 'airdrop')),
  ];
  return all.filter(({ leastRaw }) => leastRaw > 0n);
}

function shortOf(sight: Sight, { kind, subject, owner, mint, leastRaw }: Claim): Finding[] {
  const books = `${leastRaw} of ${mint} with ${owner}`;
  const seen = sight.account(owner, mint);
  if (seen === undefined) return [unread(subject, books)];
  return seen.heldRaw >= leastRaw ? [] : [{ kind, subject, books, chain: `${seen.heldRaw}` }];
}

function aboveOf(sight: Sight, { mint, burnedRaw }: holdings.BurnedToken): Finding[] {
  const [subject, most] = [`supply/${mint}`, TOTAL_SUPPLY_RAW - burnedRaw];
  const supply = sight.supply(mint);
  if (supply === undefined) return [unread(subject, `at most ${most}`)];
  return supply <= most ? [] : [{ kind: 'supply-above', subject, books: `at most ${most}`, chain: `${supply}` }];
}

function unread(subject: string, books: string): Finding {
  return { kind: 'unread', subject, books, chain: 'no quorum' };
}
