import type { Chain } from '../chain.ts';
import { type Check, createChecks, Difference, mustEqual, NotProvable, type Outcome } from '../check.ts';
import { checkGrowing, type KeptList, shown } from '../growing-list.ts';
import { type MintAccount, readMint } from '../mint-account.ts';
import type { ShownLog } from '../log/log-document.ts';
import { checkPaying } from './paying-wallets.ts';
import { checkSealedList } from './sealed-list.ts';
import { holdersOf, type Tenure, tenuresOf, type WalletEntry } from './wallet-list.ts';

export interface WalletsQuestion {
  /** Reads the list. */
  readonly wallets: () => Promise<readonly WalletEntry[]>;
  readonly source: string;
  readonly chain: Chain;
  /** Of an earlier run. */
  readonly kept?: KeptList | null;
  /** Newest transactions to read of each wallet; default 20. */
  readonly most?: number;
  /** Pots to read, the newest; default 20. */
  readonly pots?: number;
  /** The document of a log with this root. @throws NotProvable where it is not shown */
  readonly document: (root: string) => Promise<ShownLog>;
  /** Newest logs to read; default 10. */
  readonly logs?: number;
}

export async function verifyWallets(question: WalletsQuestion): Promise<readonly Check[]> {
  const { wallets, source, chain, document, kept = null, most = 20, pots = 20, logs = 10 } = question;
  const checks = createChecks();
  const entries = await checks.run('list', async () => {
    // Logs are read up to this slot: none of them has an entry that the list did not have yet.
    await chain.head?.();
    const value = await shown(wallets);
    return { how: checkGrowing(value, kept, source), value };
  });
  const tenures = entries && (await checks.run('roles', () => checkRoles(entries, source)));
  if (entries && tenures) {
    await checks.run('lanes', () => checkLanes(chain, tenures));
    await checks.run('coins', () => checkCoins(chain, tenures));
    await checks.run('signers', () => checkPaying(chain, tenures, { most, pots }));
    await checks.run('seal', () => checkSealedList(chain, { entries, tenures, source, document, logs, most }));
  }
  return checks.done;
}

/** Requires that each wallet that must exist does. */
function checkRoles(wallets: readonly WalletEntry[], source: string): Outcome<readonly Tenure[]> {
  const tenures = tenuresOf(wallets, source);
  for (const role of ['treasury', 'platform', 'rewards', 'receipts'] as const) {
    const found = { value: String(holdersOf(tenures, role).length), from: source };
    mustEqual(`not exactly one wallet is the ${role} now`, { value: '1', from: 'docs/verify.md' }, found);
  }
  return { how: `${tenures.length} roles, each from a slot on`, value: tenures };
}

async function checkLanes(chain: Chain, tenures: readonly Tenure[]): Promise<Outcome<null>> {
  const lanes = holdersOf(tenures, 'lane');
  const paying = tenures.filter(({ entry }) => entry.role === 'platform' || entry.role === 'treasury');
  const own = new Set(paying.map(({ entry }) => entry.address));
  const mints = await mintsOf(chain, lanes);
  for (const [index, mint] of mints.entries()) {
    if (mint === null) throw new NotProvable(`${chain.name} does not have the lane ${lanes[index]}`);
    if (mint.mintAuthority !== null && own.has(mint.mintAuthority)) continue;
    const expected = { value: [...own].join(' or '), from: '`platform` and `treasury` of the list' };
    const found = { value: mint.mintAuthority ?? 'nobody', from: `${lanes[index]} on ${chain.name}` };
    throw new Difference('a lane belongs to a wallet that the list lacks', expected, found);
  }
  return { how: `${lanes.length} lanes belong to platform and treasury`, value: null };
}

async function checkCoins(chain: Chain, tenures: readonly Tenure[]): Promise<Outcome<null>> {
  const pots = tenures.filter(({ entry, until }) => entry.role === 'pot' && until === null);
  const coins = pots.flatMap(({ entry }) => entry.mint ?? []);
  const own = new Set(holdersOf(tenures, 'rewards'));
  const mints = await mintsOf(chain, coins);
  for (const [index, mint] of mints.entries()) {
    if (mint === null) throw new NotProvable(`${chain.name} does not have the coin ${coins[index]}`);
    const from = `${coins[index]} on ${chain.name}`;
    const { authority = null, withdrawAuthority = null } = mint.transferFee ?? {};
    mustEqual(
      'the tax can change',
      { value: 'nobody', from: 'docs/verify.md' },
      { value: authority ?? 'nobody', from },
    );
    if (withdrawAuthority !== null && own.has(withdrawAuthority)) continue;
    const expected = { value: [...own].join(' or '), from: '`rewards` of the list' };
    const found = { value: withdrawAuthority ?? 'nobody', from };
    throw new Difference('the tax of a coin goes by a wallet that the list lacks', expected, found);
  }
  return {
    how: `the tax of ${coins.length} coins with a pot goes by the rewards wallet, and cannot change`,
    value: null,
  };
}

async function mintsOf(chain: Chain, addresses: readonly string[]): Promise<(MintAccount | null)[]> {
  return (await chain.accounts(addresses)).map((state) => state && readMint(state));
}
