import { UnknownError } from '../../chain/rpc/absence.ts';
import * as auditLog from '../../db/platform/audit-log.ts';
import { type Db, transaction } from '../../db/connect.ts';
import type { LaunchRecord } from '../../db/launch/launch-records.ts';
import { standingOf } from '../../db/launch/launch-standing.ts';
import { lockLaunchState, transitionLaunch } from '../../db/launch/launch-transition.ts';
import { stateAfterResolution } from '../../domain/launch/machine.ts';
import type { Resolution, ResolutionAction } from '../../domain/launch/operator-decision.ts';
import { hasLanded } from '../money/book-statuses.ts';
import { devBuyPriceProblem } from './authority/check-dev-buy.ts';
import { adoptBundle, isWhole, observeBundle, readBundle } from './bundle-rows.ts';
import type { LaunchDeps } from './deps.ts';
import { missingOnChain } from './missing-on-chain.ts';
import { shortageOfResume, treasuryBalance, type TreasuryReading } from './treasury-stock.ts';
import { launchPurpose } from '../../domain/purpose.ts';

/** Opens the pool and makes the dev buy. */
const POOL_STEP = 3;

/** Takes the dev buy's quote tokens from the treasury. */
const MINT_STEP = 2;

const TAKES_STOCK: Readonly<Record<ResolutionAction, boolean>> = { resume: true, refund: false, record: false };

/** A decision about an earlier parking changes nothing: the operator has not seen the new reason. */
export async function resolveLaunch(deps: LaunchDeps, launch: LaunchRecord, resolution: Resolution): Promise<void> {
  if (launch.state !== 'needs_recovery') return;
  const refused = await whyNot(deps, launch, resolution);
  const { quoteId } = launch;
  const note = `${resolution.actor ?? 'operator'}: ${resolution.note}`;
  const held = refused === undefined && TAKES_STOCK[resolution.action] ? await stockToTake(deps, launch) : null;
  let blockedReason: string | undefined;
  const isCarriedOut = await transaction(deps.db, async (tx) => {
    // Lock order: stock first, then the launch.
    blockedReason = refused ?? (held === null ? undefined : await whyNoStock(tx, launch, held));
    if (!(await isOfThisParking(tx, quoteId, resolution))) return false;
    const to = blockedReason === undefined ? stateAfterResolution(resolution.action) : 'needs_recovery';
    const moved = await transitionLaunch(tx, quoteId, ['needs_recovery'], to, { note, blockedReason });
    if (moved) await auditLog.append(tx, auditOf(quoteId, resolution, blockedReason));
    return moved;
  });
  const { action, actor, parking } = resolution;
  deps.logger.warn({ action, actor, parking, blockedReason, isCarriedOut }, 'operator decided');
}

/** Takes the launch's lock, which every parking takes. */
async function isOfThisParking(tx: Db, quoteId: string, { parking }: Resolution): Promise<boolean> {
  await lockLaunchState(tx, quoteId);
  return (await standingOf(tx, quoteId))?.parking === parking;
}

function whyNot(deps: LaunchDeps, launch: LaunchRecord, resolution: Resolution): Promise<string | undefined> {
  switch (resolution.action) {
    case 'record':
      return whyNotRecord(deps, launch);
    case 'resume':
      return whyNotResume(deps, launch, resolution);
    case 'refund':
      return Promise.resolve(undefined);
  }
}

/**
 * The rest sells the dev buy's tokens at the quoted price. If they are worth more now, the operator is asked again with
 * both figures.
 */
async function whyNotResume(
  deps: LaunchDeps,
  { quoteId, terms }: LaunchRecord,
  { atSealedPrice }: Resolution,
): Promise<string | undefined> {
  const { devBuy } = terms;
  if (!devBuy || atSealedPrice) return undefined;
  const bundle = await readBundle(deps.db, quoteId);
  if (bundle.some((row) => row.purpose === launchPurpose(quoteId, POOL_STEP) && hasLanded(row))) return undefined;
  const problem = await devBuyPriceProblem(deps, { ...terms, devBuy });
  if (problem === undefined) return undefined;
  return `resume was not carried out: ${problem}; resume with atSealedPrice sells at the old price, refund gives the payment back`;
}

/** Null if the rest of the bundle takes no quote tokens. */
async function stockToTake(deps: LaunchDeps, { quoteId, terms }: LaunchRecord): Promise<TreasuryReading | null> {
  if (!terms.devBuy) return null;
  const bundle = await readBundle(deps.db, quoteId);
  const isTaken = bundle.some((row) => row.purpose === launchPurpose(quoteId, MINT_STEP) && hasLanded(row));
  return isTaken ? null : treasuryBalance(deps, terms);
}

/** A parked launch reserves nothing: its stock may be gone. */
async function whyNoStock(tx: Db, { terms }: LaunchRecord, held: TreasuryReading): Promise<string | undefined> {
  const problem = await shortageOfResume(tx, terms, held);
  return problem && `resume was not carried out: ${problem}`;
}

async function whyNotRecord(deps: LaunchDeps, launch: LaunchRecord): Promise<string | undefined> {
  const missing = await missingOnChain(deps, launch.terms);
  if (missing.length > 0) return `record was refused: the chain shows no ${missing.join(', no ')}`;
  try {
    await adoptBundle(deps, launch);
  } catch (error) {
    if (error instanceof UnknownError) return `record was refused: ${error.message}`;
    throw error;
  }
  if (isWhole(await observeBundle(deps, launch))) return undefined;
  return 'record was refused: mint, pool and locks exist, but not all transactions that made them were found';
}

function auditOf(quoteId: string, { action, note, actor }: Resolution, refused: string | undefined) {
  return {
    actor: actor ?? 'temporal-ui',
    note,
    subject: `launch/${quoteId}`,
    action: `launch.${action}`,
    details: refused === undefined ? {} : { refused },
  };
}
