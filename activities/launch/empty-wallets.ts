import { PublicKey, VersionedTransaction } from '@solana/web3.js';
import { buildEmptying } from '../../chain/launch/empty-wallet.ts';
import { baseTokenOf, quoteTokenOf } from '../../chain/launch/pool-request.ts';
import type { SignedTransaction } from '../../chain/transactions/compile.ts';
import { tokenAccountOf } from '../../chain/tokens/associated-account.ts';
import { balanceOfAccount } from '../../chain/tokens/token-balance.ts';
import * as airdrops from '../../db/airdrop/airdrops.ts';
import * as emptyings from '../../db/launch/emptyings.ts';
import type { LaunchTerms } from '../../domain/launch/terms.ts';
import { emptyingPurpose } from '../../domain/purpose.ts';
import { isHeldBack, isUsable } from '../../domain/token-balance.ts';
import { type LaunchDeps, launchKeysOf } from './activities.ts';
import { readLaunch } from './facts.ts';
import { moveOnce } from '../money/move-once.ts';
import type { LaunchRecord } from '../../db/launch/launch-records.ts';

export type LaunchWalletActivities = ReturnType<typeof createLaunchWalletActivities>;

/** The platform gets the rest. */
export function createLaunchWalletActivities(deps: LaunchDeps) {
  return {
    /** Up to 20 due quote ids. Wallets that were tried before return after a growing pause. */
    launchWalletsToEmpty: (): Promise<string[]> => emptyings.takeDue(deps.db),

    /** Returns the signature, or null if there was nothing to move. */
    async emptyLaunchWallet(quoteId: string): Promise<string | null> {
      const launch = await readLaunch(deps.db, quoteId);
      const { terms, state } = launch;
      if (state !== 'finalized')
        throw new Error(`launch ${quoteId} is ${state}; only the wallet of a finalized one is emptied`);
      await assertDelivered(deps, launch);
      const keys = launchKeysOf(deps, terms);
      const { computeUnitPrice } = deps.settings;
      const moved = await moveOnce(deps, {
        purpose: emptyingPurpose(quoteId),
        payer: deps.builder.platform.publicKey,
        assertDue: (tx) => emptyings.lockDue(tx, quoteId),
        build: async (stamp) => {
          const { platform, treasury } = deps.builder;
          const request = { terms, keys, stamp, computeUnitPrice, platform, treasury: treasury.publicKey };
          const emptying = await buildEmptying(deps.rpc.connection, request);
          await assertNothingElse(deps, terms, emptying);
          return emptying;
        },
      });
      await emptyings.markEmptied(deps.db, quoteId);
      deps.logger.info({ quoteId, signature: moved?.signature }, 'launch wallet emptied');
      return moved?.signature ?? null;
    },
  };
}

/**
 * An emptied wallet is never read again, so a quorum must see nothing left: a lagging endpoint shows old accounts.
 * Throws if anything is left.
 */
async function assertNothingElse(deps: LaunchDeps, terms: LaunchTerms, emptying: SignedTransaction | null) {
  const wallet = new PublicKey(terms.addresses.launchWallet);
  const quote = quoteTokenOf(terms);
  const treasury = deps.builder.treasury.publicKey;
  const [quoteAccount, heir] = [tokenAccountOf(quote, wallet), tokenAccountOf(quote, treasury)];
  const escrows = terms.airdrop ? [tokenAccountOf(baseTokenOf(terms), wallet)] : [];
  const emptied = emptying ? VersionedTransaction.deserialize(emptying.wire).message.staticAccountKeys : [];
  const others = [wallet, quoteAccount, ...escrows].filter((key) => !emptied.some((one) => one.equals(key)));
  if (others.length === 0) return;
  const said = await deps.rpc.accountsByEndpoint(
    [...others, quoteAccount, heir].map((key) => key.toBase58()),
    'confirmed',
  );
  const holdsLamports = (key: PublicKey) =>
    said.mostSeen(key.toBase58(), (account) => BigInt(account?.lamports ?? 0)) > 0n;
  const isAbsent = (key: PublicKey) => said.agreed(key.toBase58(), (account) => (account?.data.length ?? 0) === 0);
  // Tokens stay if they are frozen, or the treasury has no account that takes them.
  const held = said.agreed(quoteAccount.toBase58(), (account) => balanceOfAccount(quote, wallet, account));
  const heirState = said.agreed(heir.toBase58(), (account) => balanceOfAccount(quote, treasury, account).state);
  const isLeftOnPurpose = (key: PublicKey) =>
    key.equals(quoteAccount) &&
    held !== undefined &&
    held.heldRaw > 0n &&
    (isHeldBack(held.state) || (heirState !== undefined && !isUsable(heirState)));
  const isLeft = (key: PublicKey) =>
    key.equals(wallet) ? holdsLamports(key) : isAbsent(key) !== true && !isLeftOnPurpose(key);
  const [left] = others.filter(isLeft);
  if (left) throw new Error(`no quorum of RPC endpoints shows ${left.toBase58()} of launch ${terms.quoteId} empty`);
}

/** The wallet pays for the delivery and holds its tokens. */
async function assertDelivered(deps: LaunchDeps, { quoteId, terms }: LaunchRecord): Promise<void> {
  if (!terms.airdrop) return;
  const airdrop = await airdrops.byQuoteId(deps.db, quoteId);
  if (!airdrop?.deliveredAt)
    throw new Error(`the airdrop of launch ${quoteId} is not delivered; its wallet is not emptied`);
}
