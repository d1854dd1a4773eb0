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
import { browserStorage, keptKeys } from '../../storage/browser-storage.ts';
import { type SignedStore, signedStore } from '../../storage/signed-store.ts';

/** Where the claim of one token stands. */
export type Claiming =
  | { readonly step: 'asking' | 'signing' | 'sent' }
  | { readonly step: 'ended'; readonly outcome: ClaimOutcome }
  | { readonly step: 'failed'; readonly error: Error; readonly isSigned: boolean };

/** The claims of this page. */
export interface Claims {
  readonly isBusy: boolean;
  readonly of: (mint: string) => Claiming | undefined;
  /** Claims one after the other; what one ends with does not end the others. */
  readonly claimAll: (mints: readonly string[]) => Promise<void>;
}

const STORE_KEY = 'slipway:claim/';

/** What every claim of this page is made or gone on with. */
type KeptOptions = ResumeClaimOptions & { readonly store: SignedStore };

/** Claims fees, each kept in the browser until its outcome is known, and goes on after a reload with what was signed before. */
export function useClaims(signer: Signer | null): Claims {
  const queries = useQueryClient();
  const [states, setStates] = useState<Readonly<Record<string, Claiming>>>({});
  const [isBusy, setBusy] = useState(false);
  const set = (mint: string, state: Claiming) => {
    setStates((before) => ({ ...before, [mint]: state }));
  };
  const run = async (mint: string, work: (options: KeptOptions) => Promise<ClaimOutcome | null>) => {
    let store: SignedStore | undefined;
    const onProgress = ({ step }: ClaimProgress) => {
      if (step !== 'ended') set(mint, { step: step === 'prepared' ? 'signing' : 'sent' });
    };
    try {
      store = storeOf(mint);
      const outcome = await work({ api, store, onProgress });
      if (outcome) set(mint, { step: 'ended', outcome });
    } catch (error) {
      set(mint, {
        step: 'failed',
        error: error instanceof Error ? error : new Error('the wallet did not sign'),
        isSigned: store?.isKept() ?? false,
      });
    }
    await queries.invalidateQueries({ queryKey: ['fees', mint] });
  };
  useEffect(() => {
    for (const mint of keptMints()) {
      void run(mint, resumeClaim);
    }
  }, []);
  const isStill = useIsStill(signer);
  const claimAll = async (mints: readonly string[]) => {
    if (!signer) return;
    // Who turns to another account meanwhile is asked to sign nothing for the one before.
    const approve = () => isStill(signer);
    setBusy(true);
    for (const mint of mints) {
      if (!approve()) break;
      set(mint, { step: 'asking' });
      await run(mint, (kept) => claim({ ...kept, signer, mint, approve }));
    }
    setBusy(false);
  };
  return { isBusy, of: (mint) => states[mint], claimAll };
}

/** Tells whether the page still shows this account of the wallet; nobody's, once it was left. */
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

function storeOf(mint: string) {
  return signedStore(browserStorage(), STORE_KEY + mint, 'claim of this token');
}

/** Tokens whose claim was signed here and has no outcome yet. */
function keptMints(): string[] {
  return keptKeys()
    .filter((key) => key.startsWith(STORE_KEY))
    .map((key) => key.slice(STORE_KEY.length));
}
