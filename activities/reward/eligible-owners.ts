import { PublicKey, SystemProgram } from '@solana/web3.js';
import { deriveKeypair } from '../../chain/keys/launch-keys.ts';
import { platformWallets } from '../../db/platform/platform-wallets.ts';
import { BURN_ADDRESSES } from '../../domain/burn-addresses.ts';
import type { Balances } from '../../domain/reward/least-balances.ts';
import type { RewardDeps } from './deps.ts';
import type { RewardMarket } from './market.ts';

/** A holder that earns rewards. */
export interface EligibleHolder {
  readonly owner: PublicKey;
  readonly balanceRaw: bigint;
}

/** Accounts that one request reads. */
const ACCOUNTS_PER_CALL = 100;

/**
 * Owners that held enough at every observation and are somebody's wallet: no pool, no wallet or escrow of the platform's, no
 * burn address, nothing that a program owns.
 */
export async function eligibleHolders(
  deps: RewardDeps,
  market: RewardMarket,
  balances: Balances,
  minimumRaw: bigint,
): Promise<EligibleHolder[]> {
  const enough = [...balances].filter(([, raw]) => raw >= minimumRaw);
  const own = await ownWallets(
    deps,
    market,
    enough.map(([owner]) => owner),
  );
  const others = enough
    .filter(([owner]) => !own.has(owner) && !BURN_ADDRESSES.has(owner))
    .map(([owner, balanceRaw]) => ({ owner: new PublicKey(owner), balanceRaw }))
    // An address off the curve has no key: a program holds it.
    .filter(({ owner }) => PublicKey.isOnCurve(owner.toBytes()));
  const held = await accountsOf(
    deps,
    others.map(({ owner }) => owner),
  );
  return others.filter((_, index) => held[index]?.owner.equals(SystemProgram.programId) ?? true);
}

/** Which of these addresses are the platform's own, or the pool's. */
async function ownWallets(
  deps: RewardDeps,
  { token, pot }: RewardMarket,
  owners: readonly string[],
): Promise<ReadonlySet<string>> {
  const { signers, seeds, context, db } = deps;
  const keys = [signers.treasury, signers.platform, signers.rewards, pot];
  const restock = seeds.map(({ secret }) => deriveKeypair(secret, context, 'restock', 'wallet'));
  const named = [...keys, ...restock].map(({ publicKey }) => publicKey.toBase58());
  return new Set([token.pool, ...named, ...(await platformWallets(db, owners))]);
}

/** Accounts in the order asked for; null where there is none. */
export async function accountsOf(
  { rpc, heartbeat }: Pick<RewardDeps, 'rpc' | 'heartbeat'>,
  addresses: readonly PublicKey[],
  commitment: 'confirmed' | 'finalized' = 'confirmed',
) {
  const accounts = [];
  for (let start = 0; start < addresses.length; start += ACCOUNTS_PER_CALL) {
    heartbeat();
    const page = addresses.slice(start, start + ACCOUNTS_PER_CALL);
    accounts.push(...(await rpc.connection.getMultipleAccountsInfo(page, commitment)));
  }
  return accounts;
}
