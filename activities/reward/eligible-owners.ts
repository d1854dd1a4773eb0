import { type AccountInfo, PublicKey, SystemProgram } from '@solana/web3.js';
import { deriveKeypair } from '../../chain/keys/launch-keys.ts';
import { tokenAccountOf } from '../../chain/tokens/associated-account.ts';
import { platformWallets } from '../../db/platform/platform-wallets.ts';
import { batchesOf } from '../../domain/batches.ts';
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
  /** Where their rewards go: their associated account for the quote token, base58. */
  readonly account: string;
  /** Whether that one is there, finalized, by a quorum; null where there is none for either. */
  readonly hasAccount: boolean | null;
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
  const wallets = await readWallets(
    deps,
    market,
    judged.filter(({ reason }) => reason === null).map(({ owner }) => owner),
  );
  const eligible: EligibleHolder[] = [];
  const leftOut: LeftOut[] = [];
  for (const { owner, balanceRaw, reason } of judged) {
    const wallet = wallets.get(owner);
    if (wallet) eligible.push({ ...wallet, balanceRaw });
    else leftOut.push({ owner, reason: reason ?? 'programOwned', balanceRaw });
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

/** Owners that are read together with their accounts, in calls of 100 addresses. */
const OWNERS_AT_ONCE = 5_000;

type Wallet = Omit<EligibleHolder, 'balanceRaw'>;

/** Those of these addresses (base58) of which no quorum says that a program owns them, each with its account for the quote token. */
async function readWallets(
  { rpc }: RewardDeps,
  { quote }: RewardMarket,
  addresses: readonly string[],
): Promise<ReadonlyMap<string, Wallet>> {
  const wallets = new Map<string, Wallet>();
  for (const page of batchesOf(addresses, OWNERS_AT_ONCE)) {
    const named = await withPauses(page, (address) => {
      const owner = new PublicKey(address);
      return { address, owner, account: tokenAccountOf(quote, owner).toBase58() };
    });
    const said = await rpc.accountTestimonies(named.flatMap(({ address, account }) => [address, account]));
    for (const { address, owner, account } of named) {
      if (said.agreedReason(address, ownedByProgram) !== null) continue;
      wallets.set(address, { owner, account, hasAccount: said.agreed(account, hasData) ?? null });
    }
  }
  return wallets;
}

function ownedByProgram(account: AccountInfo<Buffer> | null): true | null {
  return account?.owner.equals(SystemProgram.programId) === false || null;
}

/** Lamports alone are no account. */
function hasData(account: AccountInfo<Buffer> | null): boolean {
  return account !== null && account.data.length > 0;
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
