import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import {
  claim,
  type ClaimOutcome,
  type ClaimProgress,
  resumeClaim,
  type ResumeClaimOptions,
  type Signer,
} from '../../../client/index.ts';
import { api } from '../../api/api.ts';
import { useExtension } from '../../extension.ts';
import type { SignedStore } from '../../storage/signed-store.ts';
import { accountSigner } from './account-signer.ts';
import { type Claiming, type ClaimRun, stateOfError } from './claiming.ts';
import { useClaimRun } from './use-claim-run.ts';
import { keptMints, putClaimAside, storeOf, tabOf } from './kept-claims.ts';

export interface Claims {
  readonly isBusy: boolean;
  readonly of: (mint: string) => Claiming | undefined;
  /** Mints with a state. */
  readonly mints: readonly string[];
  /** Of `claimEverything`. */
  readonly run: ClaimRun | null;
  /** A failure does not stop others. */
  readonly claimAll: (mints: readonly string[]) => Promise<void>;
  /** All that the wallet can claim, several by one request of the wallet. */
  readonly claimEverything: () => Promise<void>;
  readonly putAside: (mint: string) => Promise<void>;
}

type KeptOptions = ResumeClaimOptions & { readonly store: SignedStore };

/** Stored until the outcome is known; continued after a reload. */
export function useClaims(signer: Signer | null): Claims {
  const { collection } = useExtension();
  const { of, mints, set, tell } = useStates();
  const reread = useReread();
  const [isBusy, setBusy] = useState(false);
  const isStill = useIsStill(signer);
  const run = async (mint: string, work: (options: KeptOptions) => Promise<ClaimOutcome | null>) => {
    let store: SignedStore | undefined;
    try {
      store = storeOf(mint);
      const outcome = await work({ api, store, onProgress: (progress) => tell(mint, progress) });
      if (outcome) set(mint, { step: 'ended', outcome });
    } catch (error) {
      set(mint, stateOfError(error, store));
    }
    await reread(mint);
  };
  useEffect(() => {
    for (const mint of keptMints()) {
      void run(mint, resumeClaim);
    }
  }, []);
  const claimOne = async (by: Signer, mint: string) => {
    const tab = tabOf(mint);
    const account = accountSigner(by, isStill);
    await run(mint, (kept) => {
      const approve = async () => {
        if (!account.isStill()) return false;
        await tab.take();
        kept.store.mustBeAlone();
        return true;
      };
      return claim({ ...kept, signer: account.signer, mint, approve, collection });
    });
    tab.release();
  };
  const claimAll = async (asked: readonly string[]) => {
    if (!signer) return;
    setBusy(true);
    for (const mint of asked) {
      if (!isStill(signer)) break;
      set(mint, { step: 'asking' });
      await claimOne(signer, mint);
    }
    setBusy(false);
  };
  const everything = useClaimRun({ set, tell, isStill });
  const claimEverything = async () => {
    if (!signer) return;
    setBusy(true);
    await everything.claim(signer);
    setBusy(false);
    // Once: each position of the wallet counts as a request.
    await reread();
  };
  const putAside = async (mint: string) => {
    await putClaimAside(mint);
    set(mint, undefined);
  };
  return { isBusy, of, mints, run: everything.run, claimAll, claimEverything, putAside };
}

function useStates() {
  const [states, setStates] = useState<Readonly<Record<string, Claiming | undefined>>>({});
  const set = (mint: string, state: Claiming | undefined) => {
    setStates((before) => ({ ...before, [mint]: state }));
  };
  const tell = (mint: string, { step }: ClaimProgress) => {
    if (step !== 'ended') set(mint, { step: step === 'prepared' ? 'signing' : 'sent' });
  };
  return { of: (mint: string) => states[mint], mints: Object.keys(states), set, tell };
}

/** Reads again what a claim changes: of one token, or of all. */
function useReread(): (mint?: string) => Promise<void> {
  const queries = useQueryClient();
  return async (mint) => {
    await queries.invalidateQueries({ queryKey: mint === undefined ? ['fees'] : ['fees', mint] });
    await queries.invalidateQueries({
      predicate: ({ queryKey: [kind, , part] }) => kind === 'wallet' && (part === 'positions' || part === 'claims'),
    });
  };
}

/** Returns false after the page is left. */
function useIsStill(signer: Signer | null): (asked: Signer) => boolean {
  const shown = useRef<string | null>(null);
  useEffect(() => {
    shown.current = signer?.address ?? null;
    return () => {
      shown.current = null;
    };
  }, [signer]);
  return ({ address }) => shown.current === address;
}
