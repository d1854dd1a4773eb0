import { PublicKey, SystemProgram } from '@solana/web3.js';
import { deriveKeypair } from '../../chain/keys/launch-keys.ts';
import { platformWallets } from '../../db/platform/platform-wallets.ts';
import { BURN_ADDRESSES } from '../../domain/burn-addresses.ts';
import type { LeftOut, LeftOutReason } from '../../domain/reward/left-out.ts';
import type { Balances } from '../../domain/reward/least-balances.ts';
import type { RewardDeps } from './deps.ts';
import type { RewardMarket } from './market.ts';
import { withPauses } from './with-pauses.ts';

/** A holder that earns rewards. */
export interface EligibleHolder {
  readonly owner: PublicKey;
  readonly balanceRaw: bigint;
}

/** Owners that held enough, by whether they earn rewards. */
export interface SiftedHolders {
  readonly eligible: readonly EligibleHolder[];
  readonly leftOut: readonly LeftOut[];
}

/**
 * Of the owners that held enough at every observation those that are somebody's wallet: no pool, no wallet or escrow of the
 * platform's, no burn address, nothing that a program owns; and the others with what they are.
 */
export async function siftHolders(
  deps: RewardDeps,
  market: RewardMarket,
  balances: Balances,
  minimumRaw: bigint,
): Promise<SiftedHolders> {
  const enough = [...balances].filter(([, raw]) => raw >= minimumRaw);
  const own = await ownWallets(
    deps,
    market,
    enough.map(([owner]) => owner),
  );
  const judged = await withPauses(enough, ([owner, balanceRaw]) => {
    return { owner, balanceRaw, reason: addressReason(owner, market.token.pool, own) };
  });
  const programs = await ownedByPrograms(
    deps,
    judged.filter(({ reason }) => reason === null).map(({ owner }) => owner),
  );
  const eligible: EligibleHolder[] = [];
  const leftOut: LeftOut[] = [];
  for (const { owner, balanceRaw, reason } of judged) {
    const why = reason ?? (programs.has(owner) ? 'programOwned' : null);
    if (why === null) eligible.push({ owner: new PublicKey(owner), balanceRaw });
    else leftOut.push({ owner, reason: why, balanceRaw });
  }
  return { eligible, leftOut };
}

/** Why an address alone earns nothing; null where it may. `own` = wallets of the platform. */
export function addressReason(owner: string, pool: string, own: ReadonlySet<string>): LeftOutReason | null {
  if (owner === pool) return 'pool';
  if (own.has(owner)) return 'platformWallet';
  if (BURN_ADDRESSES.has(owner)) return 'burnAddress';
  // An address off the curve has no key: a program holds it.
  return PublicKey.isOnCurve(new PublicKey(owner).toBytes()) ? null : 'offCurve';
}

/** Which of these addresses (base58) have an account that is no wallet's, by a quorum. */
async function ownedByPrograms({ rpc }: RewardDeps, addresses: readonly string[]): Promise<ReadonlySet<string>> {
  const accounts = await rpc.accountTestimonies(addresses);
  const isOwned = (address: string) =>
    accounts.agreedReason(address, (account) => account?.owner.equals(SystemProgram.programId) === false || null);
  return new Set(addresses.filter((address) => isOwned(address) !== null));
}

/** Which of these addresses are the platform's own. */
async function ownWallets(
  deps: RewardDeps,
  { pot }: RewardMarket,
  owners: readonly string[],
): Promise<ReadonlySet<string>> {
  const { signers, seeds, context, db } = deps;
  const keys = [signers.treasury, signers.platform, signers.rewards, pot];
  const restock = seeds.map(({ secret }) => deriveKeypair(secret, context, 'restock', 'wallet'));
  const named = [...keys, ...restock].map(({ publicKey }) => publicKey.toBase58());
  return new Set([...named, ...(await platformWallets(db, owners))]);
}
