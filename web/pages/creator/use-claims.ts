import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import {
  claim,
  type ClaimOutcome,
  type ClaimProgress,
  resumeClaim,
  type ResumeClaimOptions,
  type Signer,
  UnreadableStoreError,
} from '../../../client/index.ts';
import { api } from '../../api/api.ts';
import { browserStorage, keptKeys } from '../../storage/browser-storage.ts';
import { type SignedStore, signedStore } from '../../storage/signed-store.ts';

/** Where the claim of one token stands. */
export type Claiming =
  | { readonly step: 'asking' | 'signing' | 'sent' }
  | { readonly step: 'ended'; readonly outcome: ClaimOutcome }
  | { readonly step: 'damaged' }
  | { readonly step: 'failed'; readonly error: Error; readonly isSigned: boolean };

/** The claims of this page. */
export interface Claims {
  readonly isBusy: boolean;
  readonly of: (mint: string) => Claiming | undefined;
  /** Claims one after the other; what one ends with does not end the others. */
  readonly claimAll: (mints: readonly string[]) => Promise<void>;
  /** Leaves a kept claim that cannot be gone on with, so that the token's fees can be claimed again. */
  readonly putAside: (mint: string) => Promise<void>;
}

const STORE_KEY = 'slipway:claim/';
const ASIDE_KEY = 'slipway:claim-aside/';

/** What every claim of this page is made or gone on with. */
type KeptOptions = ResumeClaimOptions & { readonly store: SignedStore };

/** Claims fees, each kept in the browser until its outcome is known, and goes on after a reload with what was signed before. */
export function useClaims(signer: Signer | null): Claims {
  const queries = useQueryClient();
  const [states, setStates] = useState<Readonly<Record<string, Claiming | undefined>>>({});
  const [isBusy, setBusy] = useState(false);
  const set = (mint: string, state: Claiming | undefined) => {
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
      set(mint, error instanceof UnreadableStoreError ? { step: 'damaged' } : failed(error, store));
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
  const putAside = async (mint: string) => {
    const store = storeOf(mint);
    await store.load();
    store.putAside(`${ASIDE_KEY}${mint}/${new Date().toISOString()}`);
    set(mint, undefined);
  };
  return { isBusy, of: (mint) => states[mint], claimAll, putAside };
}

function failed(error: unknown, store: SignedStore | undefined): Claiming {
  return {
    step: 'failed',
    error: error instanceof Error ? error : new Error('the wallet did not sign'),
    isSigned: store?.isKept() ?? false,
  };
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
