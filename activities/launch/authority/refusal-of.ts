import { QuoteMintRefusedError } from '../../../chain/tokens/quote-mint.ts';
import type { LaunchRecord } from '../../../db/launch/launch-records.ts';
import { AppError } from '../../../domain/errors.ts';
import type { LaunchDeps } from '../deps.ts';
import { checkMetadata, checkRecipients, checkTexts } from './check-content.ts';
import { checkBlockhash, checkIdentity, checkPayment } from './check-identity.ts';
import { checkMarket, checkPair } from './check-market.ts';
import { checkAirdrop, checkItems, checkNetworkFees } from './check-price.ts';
import { ProposalRefusedError } from './refuse.ts';

/** How long what a check has to read may be tried again, in ms: somebody waits, and the step's first try has five seconds. */
const TRY_FOR_MS = 3_000;

/** Pause between two tries, in ms. */
const TRY_AGAIN_MS = 500;

/**
 * Why the worker signs nothing for this launch; undefined where everything is as it derives it by itself. What the API took in
 * is a proposal: whoever could seal a quote of their own would else have the treasury's signature for it. A launch that
 * `isUnderWay` has been paid for, so that its blockhash is of no interest any more.
 */
export async function refusalOf(
  deps: LaunchDeps,
  launch: LaunchRecord,
  isUnderWay: boolean,
): Promise<string | undefined> {
  const startedAt = deps.now().getTime();
  for (;;) {
    try {
      await check(deps, launch, isUnderWay);
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

/**
 * Why nothing more is signed for a launch that was checked whole before: its stored terms are not those any more. What follows
 * from seed, quote id and the creator's own signature is derived again; prices have moved on, and are not asked.
 */
export function storedTermsRefusal(deps: LaunchDeps, launch: LaunchRecord): string | undefined {
  try {
    checkDerived(deps, launch);
    return undefined;
  } catch (error) {
    const refusal = refusalIn(error);
    if (refusal === undefined) throw error;
    deps.logger.error({ err: error }, 'the stored terms of a launch are refused');
    return refusal;
  }
}

function checkDerived(deps: LaunchDeps, launch: LaunchRecord): void {
  checkIdentity(deps, launch);
  checkItems(launch.terms);
  checkNetworkFees(launch.terms);
  checkPayment(deps, launch);
  checkTexts(deps, launch.terms);
}

async function check(deps: LaunchDeps, launch: LaunchRecord, isUnderWay: boolean): Promise<void> {
  const { terms } = launch;
  checkDerived(deps, launch);
  await Promise.all([
    ...(isUnderWay ? [] : [checkBlockhash(deps, launch)]),
    checkAirdrop(deps, terms),
    checkMetadata(deps, terms),
    checkRecipients(deps, terms),
    checkPair(deps, terms),
    checkMarket(deps, terms),
  ]);
}

/** What a check says of the terms themselves; undefined where it could not be made, so that another try may help. */
function refusalIn(error: unknown): string | undefined {
  const isOfTerms =
    error instanceof ProposalRefusedError ||
    error instanceof QuoteMintRefusedError ||
    error instanceof RangeError ||
    (error instanceof AppError && error.code === 'invalid_request');
  return isOfTerms ? `the launch is refused: ${error.message}` : undefined;
}
