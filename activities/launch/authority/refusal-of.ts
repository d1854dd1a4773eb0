import { QuoteMintRefusedError } from '../../../chain/tokens/quote-mint.ts';
import type { LaunchRecord } from '../../../db/launch/launch-records.ts';
import { AppError } from '../../../domain/errors.ts';
import type { LaunchDeps } from '../deps.ts';
import { checkMetadata, checkRecipients, checkTexts } from './check-content.ts';
import { checkBlockhash, checkIdentity, checkPayment, checkUnsettled } from './check-identity.ts';
import { checkMarket, checkPair, checkPlan } from './check-market.ts';
import { checkAirdrop, checkItems, checkNetworkFees, checkWish } from './check-price.ts';
import { type Landed, ProposalRefusedError } from './refuse.ts';

/** Time for which failing reads are retried, ms: a user waits, and the step's first try has five seconds. */
const TRY_FOR_MS = 3_000;

const TRY_AGAIN_MS = 500;

/**
 * Returns why the terms differ from what the worker derives itself; undefined if they match. A forged quote must not
 * get the treasury's signature.
 *
 * @param landed nothing of it, its payment (blockhash and receipts are not checked), or all of it (nor are present prices)
 */
export async function refusalOf(deps: LaunchDeps, launch: LaunchRecord, landed: Landed): Promise<string | undefined> {
  const startedAt = deps.now().getTime();
  for (;;) {
    try {
      await check(deps, launch, landed);
      return undefined;
    } catch (error) {
      const refusal = refusalIn(error);
      if (refusal !== undefined) {
        deps.logger.warn({ err: error }, 'the terms of a launch are refused');
        return refusal;
      }
      deps.logger.warn({ err: error }, 'the terms of a launch cannot be checked yet');
      if (deps.now().getTime() - startedAt > TRY_FOR_MS) return 'the launch could not be checked at the moment';
    }
    await deps.sleep(TRY_AGAIN_MS);
  }
}

/** Checks whose payment it was: a refund needs no more, and rules of what it paid for may have changed since. */
function checkPaid(deps: LaunchDeps, launch: LaunchRecord): void {
  checkIdentity(deps, launch);
  checkPayment(launch);
}

const STORED_CHECKS = { refund: checkPaid, rest: checkDerived };

/**
 * Returns why the stored terms are not those that passed all checks; undefined if they are. Derives again what follows
 * from seed, quote id and the creator's signature. Ignores prices, which move.
 *
 * @param what is signed by them: a refund, or the rest of the bundle
 */
export function storedTermsRefusal(
  deps: LaunchDeps,
  launch: LaunchRecord,
  what: keyof typeof STORED_CHECKS,
): string | undefined {
  try {
    STORED_CHECKS[what](deps, launch);
    return undefined;
  } catch (error) {
    const refusal = refusalIn(error);
    if (refusal === undefined) throw error;
    deps.logger.error({ err: error }, 'the stored terms of a launch are refused');
    return refusal;
  }
}

function checkDerived(deps: LaunchDeps, launch: LaunchRecord): void {
  checkPaid(deps, launch);
  checkItems(launch.terms);
  checkNetworkFees(launch.terms);
  checkTexts(deps, launch.terms);
}

async function check(deps: LaunchDeps, launch: LaunchRecord, landed: Landed): Promise<void> {
  const { terms } = launch;
  checkDerived(deps, launch);
  await Promise.all([
    ...(landed === 'nothing'
      ? [checkBlockhash(deps, launch), checkUnsettled(deps, launch), checkWish(deps, terms)]
      : []),
    checkAirdrop(deps, terms, landed),
    checkMetadata(deps, terms),
    checkRecipients(deps, terms),
    ...(landed === 'all' ? [checkPlan(deps, terms)] : [checkPair(deps, terms), checkMarket(deps, terms, landed)]),
  ]);
}

function refusalIn(error: unknown): string | undefined {
  const isOfTerms =
    error instanceof ProposalRefusedError ||
    error instanceof QuoteMintRefusedError ||
    error instanceof RangeError ||
    (error instanceof AppError && error.code === 'invalid_request');
  return isOfTerms ? `the launch is refused: ${error.message}` : undefined;
}
