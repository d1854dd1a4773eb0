import { useCallback, useEffect, useRef, useState } from 'react';
import {
  launch,
  type LaunchOutcome,
  type LaunchProgress,
  type LaunchQuote,
  type LaunchWish,
  resumeLaunch,
  type Signer,
  type SignedLaunch,
} from '../../../client/index.ts';
import { api } from '../../api/api.ts';
import { browserStorage, sharedStorage } from '../../storage/browser-storage.ts';
import { oneTab } from '../../storage/one-tab.ts';
import { isTold, mustHaveRoom, type SignedStore, signedStore } from '../../storage/signed-store.ts';
import { signableUntil } from './quote-life.ts';

export type TokenWish = Omit<LaunchWish, 'creatorWallet'>;

/** Step of this browser's only launch. */
export type Launching =
  | { readonly step: 'none' }
  /** `because`: why it waits. */
  | { readonly step: 'asking'; readonly because?: string }
  /** Nothing is signed until the price is accepted. */
  | {
      readonly step: 'priced';
      readonly quote: LaunchQuote;
      /** The form may have changed. */
      readonly token: TokenWish;
      readonly signableUntil: number;
      /** Only it can sign. */
      readonly wallet: string;
      readonly answer: (yes: boolean) => void;
    }
  | { readonly step: 'signing' }
  /** The payment may land. */
  | { readonly step: 'sent'; readonly launch: SignedLaunch }
  | { readonly step: 'ended'; readonly outcome: LaunchOutcome; readonly name: string }
  /** `isSigned`: may land; else nothing was sent. */
  | { readonly step: 'failed'; readonly error: Error; readonly isSigned: boolean };

/** Identity of the one launch that all tabs share; `base` is the key prefix. */
const LAUNCH = { base: 'slipway:launch', what: 'launch', id: 'paymentSignature' } as const;

/** Put aside by the user. */
const ASIDE_KEY = 'slipway:launch-aside/';

const PROBE_KEY = 'slipway:room';
const BESIDE_LOGO = 10_000;

/** The user sees every lamport: no limit needed. */
const ANY_PRICE = BigInt(Number.MAX_SAFE_INTEGER);

/** Resumes a signed launch after a reload, never signs twice. */
export function useLaunching() {
  const [state, setState] = useState<Launching>({ step: 'none' });
  const signed = useRef<SignedLaunch | null>(null);
  const store = useRef<SignedStore>(undefined);
  const shown = useRef(false);
  const running = useRef<Promise<void>>(undefined);
  const tell = useCallback((progress: LaunchProgress) => {
    if (progress.step === 'signed' || progress.step === 'resumed') signed.current = progress.launch;
    setState((before) => stateAfter(before, progress));
  }, []);
  const run = useCallback(async (work: (store: SignedStore) => Promise<LaunchOutcome | null>) => {
    try {
      store.current = storeOf(shown);
      const outcome = await work(store.current);
      if (outcome === null || outcome.status === 'declined') setState({ step: 'none' });
      else setState({ step: 'ended', outcome, name: signed.current?.wish.name ?? '' });
    } catch (error) {
      // It may land, whichever tab or wallet signed it.
      setState({ step: 'failed', error: asError(error), isSigned: store.current?.isKept() ?? false });
    }
  }, []);
  const resume = useCallback(async () => {
    await run((kept) => untilKnown(() => resumeLaunch({ api, store: kept, onProgress: tell })));
  }, [run, tell]);
  useEffect(() => {
    shown.current = true;
    void resume();
    return () => {
      shown.current = false;
    };
  }, [resume]);
  const begin = async (signer: Signer, token: TokenWish) => {
    const tab = oneTab(LAUNCH.base, 'a launch');
    if (state.step === 'priced') state.answer(false);
    await running.current;
    signed.current = null;
    setState({ step: 'asking' });
    running.current = run(async (kept) => {
      // No other tab signs until this launch has an outcome.
      const approve = async (quote: LaunchQuote) => {
        const isWanted = await asked(quote, token, signer.address, setState);
        if (isWanted) await tab.take();
        if (isWanted) kept.mustBeAlone();
        return isWanted;
      };
      mustHaveRoom(browserStorage(), PROBE_KEY, token.logo.length + BESIDE_LOGO);
      const options = { api, signer, token, approve, store: kept, maxLamports: ANY_PRICE, onProgress: tell };
      const outcome = await launch(options);
      return outcome.status === 'unknown' ? untilKnown(() => resumeLaunch(options)) : outcome;
    });
    await running.current;
    tab.release();
  };
  const putAside = () => {
    // Named by the time.
    store.current?.putAside(ASIDE_KEY + (signed.current?.paymentSignature ?? new Date().toISOString()));
    signed.current = null;
    setState({ step: 'none' });
  };
  return { state, begin, resume, putAside };
}

function asked(
  quote: LaunchQuote,
  token: TokenWish,
  wallet: string,
  show: (state: Launching) => void,
): Promise<boolean> {
  return new Promise((resolve) => {
    const answer = (yes: boolean) => {
      if (yes) show({ step: 'signing' });
      resolve(yes);
    };
    const until = signableUntil(quote.expiresAt, Date.now());
    show({ step: 'priced', quote, token, signableUntil: until, wallet, answer });
  });
}

/** A user who left has not seen the outcome. */
function storeOf(shown: { readonly current: boolean }): SignedStore {
  const store = signedStore(sharedStorage(), LAUNCH);
  const clear = () => (shown.current ? store.clear() : undefined);
  const save = (text: string) => (shown.current || !isTold(text) ? store.save(text) : undefined);
  return { ...store, save, clear };
}

async function untilKnown(ask: () => Promise<LaunchOutcome | null>): Promise<LaunchOutcome | null> {
  for (;;) {
    const outcome = await ask();
    if (outcome?.status !== 'unknown') return outcome;
  }
}

function stateAfter(before: Launching, progress: LaunchProgress): Launching {
  switch (progress.step) {
    case 'waiting':
      return before.step === 'asking' ? { step: 'asking', because: progress.because } : before;
    case 'prepared':
    case 'ended':
      return before;
    case 'signed':
    case 'resumed':
      return { step: 'sent', launch: progress.launch };
  }
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error('the wallet did not sign');
}
