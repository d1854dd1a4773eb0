import { PublicKey, SystemProgram } from '@solana/web3.js';
import { batchesOf } from '../../domain/batches.ts';
import { inParallel } from '../rpc/in-parallel.ts';
import type { Rpc } from '../rpc/rpc.ts';

/** What is needed to tell a person's wallet from everything else. */
export interface EligibilityDeps {
  readonly rpc: Pick<Rpc, 'accountTestimonies'>;
  /** Of these addresses those that get no airdrop: exchanges, custodians, treasuries, the platform's own. */
  readonly excludedAmongst: (addresses: readonly string[]) => Promise<ReadonlySet<string>>;
}

/** Accounts of one request (`getMultipleAccounts` takes a hundred). */
const CHUNK = 100;

/** Requests at once. */
const LANES = 4;

/**
 * The first `count` holders of a ranking (base58) that are wallets of people, or all there are when they are fewer. Left out are
 * excluded wallets, addresses without a key (a program signs for them) and addresses at which a program keeps an account.
 */
export async function eligibleHolders(
  deps: EligibilityDeps,
  ranking: readonly string[],
  count: number,
): Promise<string[]> {
  const found: string[] = [];
  for (let start = 0; start < ranking.length && found.length < count;) {
    // Most holders are people: as many as are missing are looked at together, and a few more.
    const size = Math.min(LANES * CHUNK, Math.max(CHUNK, count - found.length));
    const holders = ranking.slice(start, start + size);
    found.push(...(await eligibleAmongst(deps, holders)));
    start += size;
  }
  return found.slice(0, count);
}

async function eligibleAmongst(deps: EligibilityDeps, holders: readonly string[]): Promise<string[]> {
  const excluded = await deps.excludedAmongst(holders);
  const named = holders.filter((holder) => !excluded.has(holder)).map((holder) => new PublicKey(holder));
  const wallets = await inParallel(LANES, batchesOf(named, CHUNK), (chunk) => walletsAmongst(deps, chunk));
  return wallets.flat().map((wallet) => wallet.toBase58());
}

/** An address that never held SOL has no account, and is a wallet all the same. That a program keeps one there is a quorum's word. */
async function walletsAmongst({ rpc }: EligibilityDeps, addresses: readonly PublicKey[]): Promise<PublicKey[]> {
  const onCurve = addresses.filter((address) => PublicKey.isOnCurve(address.toBytes()));
  const said = await rpc.accountTestimonies(
    onCurve.map((address) => address.toBase58()),
    'confirmed',
  );
  const isOwned = (address: PublicKey) =>
    said.agreedReason(
      address.toBase58(),
      (account) => account?.owner.equals(SystemProgram.programId) === false || null,
    ) !== null;
  return onCurve.filter((address) => !isOwned(address));
}
