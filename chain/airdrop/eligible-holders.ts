import { type Connection, PublicKey, SystemProgram } from '@solana/web3.js';
import { batchesOf } from '../../domain/batches.ts';
import { inParallel } from '../rpc/in-parallel.ts';
import type { Holder } from '../tokens/holders.ts';

/** What is needed to tell a person's wallet from everything else. */
export interface EligibilityDeps {
  readonly connection: Connection;
  /** Of these addresses those that get no airdrop: exchanges, custodians, treasuries, the platform's own. */
  readonly excludedAmongst: (addresses: readonly string[]) => Promise<ReadonlySet<string>>;
}

/** Accounts of one request (`getMultipleAccounts` takes a hundred). */
const CHUNK = 100;

/** Requests at once. */
const LANES = 4;

/**
 * The first `count` holders of a ranking that are wallets of people (base58), or all there are when they are fewer. Left out are
 * excluded wallets, addresses without a key (a program signs for them) and addresses at which a program keeps an account.
 */
export async function eligibleHolders(
  deps: EligibilityDeps,
  ranking: readonly Holder[],
  count: number,
): Promise<string[]> {
  const found: string[] = [];
  for (let start = 0; start < ranking.length && found.length < count;) {
    // Most holders are people: as many as are missing are looked at together, and a few more.
    const size = Math.min(LANES * CHUNK, Math.max(CHUNK, count - found.length));
    const holders = ranking.slice(start, start + size).map(({ owner }) => owner);
    found.push(...(await eligibleAmongst(deps, holders)));
    start += size;
  }
  return found.slice(0, count);
}

async function eligibleAmongst(deps: EligibilityDeps, holders: readonly PublicKey[]): Promise<string[]> {
  const excluded = await deps.excludedAmongst(holders.map((holder) => holder.toBase58()));
  const named = holders.filter((holder) => !excluded.has(holder.toBase58()));
  const wallets = await inParallel(LANES, batchesOf(named, CHUNK), (chunk) => walletsAmongst(deps.connection, chunk));
  return wallets.flat().map((wallet) => wallet.toBase58());
}

/** An address that never held SOL has no account, and is a wallet all the same. */
async function walletsAmongst(connection: Connection, addresses: readonly PublicKey[]): Promise<PublicKey[]> {
  const accounts = await connection.getMultipleAccountsInfo([...addresses], {
    commitment: 'confirmed',
    dataSlice: { offset: 0, length: 0 },
  });
  return addresses.filter((address, index) => {
    const owner = accounts[index]?.owner ?? SystemProgram.programId;
    return owner.equals(SystemProgram.programId) && PublicKey.isOnCurve(address.toBytes());
  });
}
