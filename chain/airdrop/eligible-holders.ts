import { PublicKey, SystemProgram } from '@solana/web3.js';
import { batchesOf } from '../../domain/batches.ts';
import { inParallel } from '../rpc/in-parallel.ts';
import type { Rpc } from '../rpc/rpc.ts';

export interface EligibilityDeps {
  readonly rpc: Pick<Rpc, 'accountsByEndpoint'>;
  /** Exchanges, custodians, treasuries, the platform's own. */
  readonly excludedAmongst: (addresses: readonly string[]) => Promise<ReadonlySet<string>>;
}

/** `getMultipleAccounts` takes a hundred. */
const CHUNK = 100;

const LANES = 4;

/**
 * The first `count` personal wallets (base58), or all if fewer. Excludes listed wallets, addresses without a key,
 * program accounts.
 */
export async function eligibleHolders(
  deps: EligibilityDeps,
  ranking: readonly string[],
  count: number,
): Promise<string[]> {
  const found: string[] = [];
  for (let start = 0; start < ranking.length && found.length < count;) {
    // Most holders are people: read about as many as are missing.
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

/** A wallet that never held SOL has no account. A program account needs a quorum. */
async function walletsAmongst({ rpc }: EligibilityDeps, addresses: readonly PublicKey[]): Promise<PublicKey[]> {
  const onCurve = addresses.filter((address) => PublicKey.isOnCurve(address.toBytes()));
  const said = await rpc.accountsByEndpoint(
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
