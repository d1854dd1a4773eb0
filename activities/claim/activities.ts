import type { ClaimIntent } from '../../db/claim/claims.ts';
import type { ClaimDeps } from './deps.ts';
import { type ClaimFacts, factsOf, readClaim, readOpenClaim } from './facts.ts';
import { finalizeClaim, killClaim, relayClaim } from './relay.ts';
import { signClaim } from './sign.ts';

export type { ClaimDeps } from './deps.ts';
export type { ClaimFacts } from './facts.ts';

/** The steps of the claim workflow. */
export type ClaimActivities = ReturnType<typeof createClaimActivities>;

/**
 * Each activity does one step of a claim and answers where the claim stands then. All are idempotent: they look at the
 * claim first, and a step that is already behind it changes nothing.
 */
export function createClaimActivities(deps: ClaimDeps) {
  const step = (name: string, run: (deps: ClaimDeps, intent: ClaimIntent) => Promise<void>) => {
    return async (intentId: string): Promise<ClaimFacts> => {
      const intent = await readClaim(deps.db, intentId);
      await run(withClaimLogger(deps, intent, name), intent);
      return factsOf(await readClaim(deps.db, intentId));
    };
  };
  return {
    /** Where the claim stands; one that was not submitted in time is booked as expired. */
    openClaim: async (intentId: string): Promise<ClaimFacts> => {
      const intent = await readOpenClaim(deps.db, intentId);
      return factsOf(intent, intent.msLeft);
    },
    signClaim: step('sign', signClaim),
    relayClaim: step('relay', relayClaim),
    killClaim: step('kill', killClaim),
    finalizeClaim: step('finalize', finalizeClaim),
  };
}

function withClaimLogger(deps: ClaimDeps, intent: ClaimIntent, step: string): ClaimDeps {
  const { intentId, mint, wallet, signature } = intent;
  const fields = { step, intentId, mint, wallet, signature, workflowId: `claim-${intentId}` };
  return { ...deps, logger: deps.logger.child(fields) };
}
