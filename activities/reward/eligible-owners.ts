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

export interface EligibleHolder {
  readonly owner: PublicKey;
  readonly balanceRaw: bigint;
  /** Associated, for the quote token, base58. */
  readonly account: string;
  /** Finalized, by a quorum; null without one either way. */
  readonly hasAccount: boolean | null;
}

export interface SeparatedHolders {
  readonly eligible: readonly EligibleHolder[];
  readonly leftOut: readonly LeftOut[];
}

/**
 * Excludes pools, the platform's wallets and escrows, burn addresses and program-owned addresses, each with its
 * reason.
 */
export async function separateHolders(
  deps: RewardDeps,
  market: RewardMarket,
  balances: Balances,
  minimumRaw: bigint,
): Promise<SeparatedHolders> {
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

/** Returns why the address alone may not earn; null if it may. */
export function addressReason(owner: string, pool: string, own: ReadonlySet<string>): LeftOutReason | null {
  if (owner === pool) return 'pool';
  if (own.has(owner)) return 'platformWallet';
  if (BURN_ADDRESSES.has(owner)) return 'burnAddress';
  // Off the curve: a program controls it.
  return PublicKey.isOnCurve(new PublicKey(owner).toBytes()) ? null : 'offCurve';
}

/** Owners per read, in calls of 100 addresses. */
const OWNERS_AT_ONCE = 5_000;

type Wallet = Omit<EligibleHolder, 'balanceRaw'>;

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
    const said = await rpc.accountsByEndpoint(named.flatMap(({ address, account }) => [address, account]));
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

/** True if the account has data: lamports alone are no account. */
function hasData(account: AccountInfo<Buffer> | null): boolean {
  return account !== null && account.data.length > 0;
}

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
