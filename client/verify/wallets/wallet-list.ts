import type { Answer, Api } from '../../http/api.ts';
import { newCursors } from '../../progress/new-cursors.ts';
import { Difference } from '../check.ts';

export type WalletEntry = Answer<'GET /platform/wallets'>['wallets'][number];

export async function readWallets(api: Api, role?: WalletEntry['role']): Promise<WalletEntry[]> {
  const entries: WalletEntry[] = [];
  const onlyNew = newCursors('GET /platform/wallets');
  for (let cursor: string | undefined; ;) {
    const query = { limit: 100, ...(role !== undefined && { role }), ...(cursor !== undefined && { cursor }) };
    const { wallets, pagination } = await api.ask('GET /platform/wallets', { query });
    entries.push(...wallets);
    if (!pagination.hasMore) return entries;
    cursor = onlyNew(pagination.nextCursor);
  }
}

export function readTreasuries(api: Api): Promise<string[]> {
  return readRole(api, 'treasury');
}

export function readPlatforms(api: Api): Promise<string[]> {
  return readRole(api, 'platform');
}

/** Lists every address that ever had the role. */
async function readRole(api: Api, role: WalletEntry['role']): Promise<string[]> {
  return [...new Set((await readWallets(api, role)).map(({ address }) => address))];
}

export interface Tenure {
  readonly entry: WalletEntry;
  readonly from: number;
  /** Null: it has the role now. */
  readonly until: number | null;
}

/** @throws Difference where an address is retired that was not in use, or gets a role twice */
export function tenuresOf(entries: readonly WalletEntry[], source: string): readonly Tenure[] {
  const tenures: Tenure[] = [];
  const open = new Map<string, Tenure>();
  for (const entry of entries) {
    const { role, address, mint, event, slot, number } = entry;
    const key = `${role} ${address} ${mint ?? ''}`;
    const now = open.get(key);
    if ((event === 'used') === (now !== undefined) || (now && slot < now.from)) {
      const expected = { value: now ? 'retired, at a later slot' : 'used', from: 'the entries before it' };
      throw new Difference(`an entry of ${address} does not follow`, expected, {
        value: `${event} at slot ${slot}`,
        from: `entry ${number} of ${source}`,
      });
    }
    if (now) {
      tenures[tenures.indexOf(now)] = { ...now, until: slot };
      open.delete(key);
      continue;
    }
    const tenure = { entry, from: slot, until: null };
    tenures.push(tenure);
    open.set(key, tenure);
  }
  return tenures;
}

/** `otherwise`: at another time. A worker may act for a wallet that another one has replaced; a restored list is younger. */
export type Holding = 'then' | 'otherwise' | 'never';

export function holdingOf(
  tenures: readonly Tenure[],
  { role, address, slot }: Pick<WalletEntry, 'role' | 'address' | 'slot'>,
): Holding {
  const own = tenures.filter(({ entry }) => entry.role === role && entry.address === address);
  if (own.length === 0) return 'never';
  return own.some(({ from, until }) => from <= slot && (until === null || slot <= until)) ? 'then' : 'otherwise';
}

/** Wallets that have or had a role, each once. */
export function everyHolder(tenures: readonly Tenure[], role: WalletEntry['role']): readonly string[] {
  return [...new Set(tenures.flatMap(({ entry }) => (entry.role === role ? entry.address : [])))];
}

/** Wallets that have one of these roles now. */
export function holdersOf(tenures: readonly Tenure[], ...roles: readonly WalletEntry['role'][]): string[] {
  return tenures
    .filter(({ entry, until }) => until === null && roles.includes(entry.role))
    .map(({ entry }) => entry.address);
}
