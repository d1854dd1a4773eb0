import type { ClaimIntent } from '../../db/claim/claims.ts';
import type { ClaimDeps } from './deps.ts';
import { type ClaimFacts, factsOf, readClaim, readOpenClaim } from './facts.ts';
import { finalizeClaim, killClaim, relayClaim } from './relay.ts';
import { signClaim } from './sign.ts';

export type { ClaimDeps } from './deps.ts';
export type { ClaimFacts } from './facts.ts';

export type ClaimActivities = ReturnType<typeof createClaimActivities>;

/** Each activity is idempotent. */
export function createClaimActivities(deps: ClaimDeps) {
  const step = (name: string, run: (deps: ClaimDeps, intent: ClaimIntent) => Promise<void>) => {
    return async (intentId: string): Promise<ClaimFacts> => {
      const intent = await readClaim(deps.db, intentId);
      await run(withClaimLogger(deps, intent, name), intent);
      return factsOf(await readClaim(deps.db, intentId));
    };
  };
  return {
    /** Books it as expired if it was not submitted in time. */
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
