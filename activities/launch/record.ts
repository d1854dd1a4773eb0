import { PublicKey } from '@solana/web3.js';
import { poolRequestOf } from '../../chain/launch/pool-request.ts';
import type { LaunchRecord } from '../../db/launch/launch-records.ts';
import { transitionLaunch } from '../../db/launch/launch-transition.ts';
import * as chainTransactions from '../../db/money/chain-transactions.ts';
import { ContradictionError } from '../../db/errors.ts';
import { type LaunchedPosition, type LaunchRecording, recordLaunch as record } from '../../db/launch/record-launch.ts';
import { feeModelOf, feeTierOf, rewardTaxOf } from '../../domain/fee-models.ts';
import { launchPrefix } from '../../domain/purpose.ts';
import { TOKEN_DECIMALS } from '../../domain/token-facts.ts';
import type { LaunchTerms } from '../../domain/launch/terms.ts';
import { airdropOf } from '../airdrop/plan.ts';
import { followBundle, isWhole, readBundle } from './bundle-rows.ts';
import type { LaunchDeps } from './deps.ts';
import { landAgain } from './land-again.ts';
import { storedLogoUri } from './store-metadata.ts';

/** A status of at most this age is not read again, ms: one more request would delay the answer. */
const JUST_SEEN_MS = 1_000;

/**
 * Records token, positions, airdrop plan and completion in one database transaction. If a fork reverted a part, the
 * launch returns to `landing`.
 */
export async function recordLaunch(deps: LaunchDeps, launch: LaunchRecord): Promise<void> {
  if (launch.state !== 'recording') return;
  const { quoteId, terms } = launch;
  const known = await readBundle(deps.db, quoteId);
  if (!isWhole(known)) return landAgain(deps, quoteId, 'recording');
  const lockSignature = known[3]!.signature;
  const [justSeen, landed, token, positions] = await Promise.all([
    chainTransactions.landedWithin(deps.db, launchPrefix(quoteId), JUST_SEEN_MS),
    deps.rpc.agreedTransaction(lockSignature, 'confirmed'),
    tokenOf(deps, launch),
    positionsOf(deps, terms, lockSignature),
  ]);
  // A fork after this point is found while waiting for finality.
  const bundle = justSeen === known.length && landed !== null ? known : await followBundle(deps, launch, known, 0);
  if (!isWhole(bundle)) return landAgain(deps, quoteId, 'recording');
  const [payment, , , locks] = bundle;
  if (!payment || locks?.signature !== lockSignature) throw new Error(`the bundle of launch ${quoteId} has changed`);
  if (!landed)
    throw new Error(`no quorum of RPC endpoints has transaction ${locks.signature} of launch ${quoteId} yet`);
  await recordOrPark(deps, terms, {
    quoteId,
    paymentSignature: payment.signature,
    slot: BigInt(landed.slot),
    launchedAt: landed.blockTime === null ? deps.now() : new Date(landed.blockTime * 1_000),
    token,
    positions,
  });
  deps.logger.info({ slot: landed.slot }, 'launch is on the chain');
}

/** Contradictions with the ledger need an operator; other failures are retried. */
async function recordOrPark(
  deps: LaunchDeps,
  terms: LaunchTerms,
  recording: Omit<LaunchRecording, 'airdrop'>,
): Promise<void> {
  try {
    await record(deps.db, { ...recording, airdrop: await airdropOf(deps, terms) });
  } catch (error) {
    if (!(error instanceof ContradictionError)) throw error;
    const blockedReason = `recording contradicts the books: ${error.message}`;
    await transitionLaunch(deps.db, recording.quoteId, ['recording'], 'needs_recovery', {
      blockedReason,
    });
    deps.logger.error({ err: error }, 'launch needs an operator');
  }
}

async function tokenOf(deps: LaunchDeps, launch: LaunchRecord) {
  const { terms } = launch;
  const { name, symbol, creator, fee, links, metadataUri, quoteToken, addresses } = terms;
  const { poolFeePercent, poolFeeTier } = feeModelOf(fee);
  const mint = new PublicKey(addresses.mint);
  return {
    name,
    symbol,
    creator,
    links,
    metadataUri,
    poolFeePercent,
    mint: addresses.mint,
    decimals: TOKEN_DECIMALS,
    logoUrl: await storedLogoUri(deps, launch),
    url: `${deps.siteUrl}/tokens/${addresses.mint}`,
    pool: deps.builder.exchange.poolAddress(mint, new PublicKey(quoteToken.mint), poolFeeTier).toBase58(),
    quoteMint: quoteToken.mint,
    quoteSymbol: quoteToken.symbol,
    mode: fee.mode,
    feeTier: feeTierOf(fee),
    rewardTaxBps: rewardTaxOf(fee),
  };
}

async function positionsOf(deps: LaunchDeps, terms: LaunchTerms, lockedSignature: string) {
  const { plan } = await poolRequestOf(deps.builder.exchange, deps.builder.wallets, terms);
  const { positions } = feeModelOf(terms.fee);
  const position = (index: 0 | 1): LaunchedPosition => ({
    index: index === 0 ? 1 : 2,
    positionMint: terms.addresses.positionMints[index],
    feeKeyMint: terms.addresses.feeKeyMints[index],
    holder: positions[index].holder,
    shareBps: positions[index].shareBps,
    liquidity: plan.positions[index].liquidity,
    tickLower: plan.tickLower,
    tickUpper: plan.tickUpper,
    lockedSignature,
  });
  return [position(0), position(1)] as const;
}
