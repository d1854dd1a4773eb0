import { useState } from 'react';
import { claimMany, type ClaimProgress, type Signer } from '../../../client/index.ts';
import { api } from '../../api/api.ts';
import { useExtension } from '../../extension.ts';
import { accountSigner } from './account-signer.ts';
import { asError, type Claiming, type ClaimRun, stateOfError } from './claiming.ts';
import { guardedStores } from './kept-claims.ts';

interface RunParts {
  readonly set: (mint: string, state: Claiming) => void;
  readonly tell: (mint: string, progress: ClaimProgress) => void;
  /** False after a switch of the account: it is not asked to sign. */
  readonly isStill: (signer: Signer) => boolean;
}

interface ClaimRuns {
  readonly run: ClaimRun | null;
  readonly claim: (signer: Signer) => Promise<void>;
}

const BEGUN: ClaimRun = { remaining: null, deferred: [], error: null };

/** Claims everything, with a lock and a store for each token. */
export function useClaimRun({ set, tell, isStill }: RunParts): ClaimRuns {
  const { collection } = useExtension();
  const [run, setRun] = useState<ClaimRun | null>(null);
  const change = (next: (before: ClaimRun) => ClaimRun) => setRun((before) => next(before ?? BEGUN));
  const claim = async (by: Signer) => {
    setRun(BEGUN);
    const account = accountSigner(by, isStill);
    const guards = guardedStores();
    try {
      await claimMany({
        api,
        signer: account.signer,
        collection,
        storeOf: guards.storeOf,
        approve: async ({ mint }) => account.isStill() && guards.take(mint),
        onPage: ({ remaining, deferred }) =>
          change((before) => ({ ...before, remaining, deferred: [...before.deferred, ...deferred] })),
        onProgress: tell,
        onEnd: (mint, { outcome, error }) => {
          set(mint, outcome ? { step: 'ended', outcome } : stateOfError(error, guards.known(mint)));
          guards.release(mint);
        },
      });
    } catch (error) {
      change((before) => ({ ...before, error: asError(error) }));
    }
    guards.releaseAll();
  };
  return { run, claim };
}
