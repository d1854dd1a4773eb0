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
import { browserStorage } from '../../storage/browser-storage.ts';
import { mustHaveRoom, type SignedStore, signedStore } from '../../storage/signed-store.ts';
import { signableUntil } from './quote-life.ts';

/** A token as it was asked for. */
export type TokenWish = Omit<LaunchWish, 'creatorWallet'>;

/** Where the one launch of this browser stands. */
export type Launching =
  | { readonly step: 'none' }
  | { readonly step: 'asking' }
  /** The price is known; nothing is signed until a person says yes. */
  | {
      readonly step: 'priced';
      readonly quote: LaunchQuote;
      /** What it is the price of; the form may say something else meanwhile. */
      readonly token: TokenWish;
      /** Until when it may be signed, ms by this machine's clock. */
      readonly signableUntil: number;
      /** Whom it was prepared for: nobody else can sign it. */
      readonly wallet: string;
      readonly answer: (yes: boolean) => void;
    }
  | { readonly step: 'signing' }
  /** Signed and kept: the payment may land. */
  | { readonly step: 'sent'; readonly launch: SignedLaunch }
  | { readonly step: 'ended'; readonly outcome: LaunchOutcome; readonly name: string }
  /** `isSigned`: it is kept and may land; else nothing was sent. */
  | { readonly step: 'failed'; readonly error: Error; readonly isSigned: boolean };

const STORE_KEY = 'slipway:launch';

/** Where launches go that a person puts aside. */
const ASIDE_KEY = 'slipway:launch-aside/';

/** Whether what is to be kept will find room is tried with so many letters beside those of the logo. */
const PROBE_KEY = 'slipway:room';
const BESIDE_LOGO = 10_000;

/** The person sees every lamport before signing, so the client need not know a limit beside. */
const ANY_PRICE = BigInt(Number.MAX_SAFE_INTEGER);

/** Launches, goes on after a reload with what was signed before, and never signs twice. */
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
      // What is kept may land, whoever signed it and in whichever tab.
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
    // A price that nobody signed is given up before another one is asked for.
    if (state.step === 'priced') state.answer(false);
    await running.current;
    signed.current = null;
    setState({ step: 'asking' });
    const approve = (quote: LaunchQuote) => asked(quote, token, signer.address, setState);
    running.current = run(async (kept) => {
      mustHaveRoom(browserStorage(), PROBE_KEY, token.logo.length + BESIDE_LOGO);
      const options = { api, signer, token, approve, store: kept, maxLamports: ANY_PRICE, onProgress: tell };
      const outcome = await launch(options);
      return outcome.status === 'unknown' ? untilKnown(() => resumeLaunch(options)) : outcome;
    });
    await running.current;
  };
  const putAside = () => {
    // What cannot be read has no name but the moment.
    store.current?.putAside(ASIDE_KEY + (signed.current?.paymentSignature ?? new Date().toISOString()));
    signed.current = null;
    setState({ step: 'none' });
  };
  return { state, begin, resume, putAside };
}

/** Shows a price, and resolves with what a person says to it. */
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

/** Whoever left the page has not seen the outcome: what was signed is kept until they come back and do. */
function storeOf(shown: { readonly current: boolean }): SignedStore {
  const store = signedStore(browserStorage(), STORE_KEY, 'launch');
  const clear = () => (shown.current ? store.clear() : undefined);
  return { ...store, clear };
}

/** Asks on when patience is over: whoever leaves the page goes on when they come back. */
async function untilKnown(ask: () => Promise<LaunchOutcome | null>): Promise<LaunchOutcome | null> {
  for (;;) {
    const outcome = await ask();
    if (outcome?.status !== 'unknown') return outcome;
  }
}

function stateAfter(before: Launching, progress: LaunchProgress): Launching {
  switch (progress.step) {
    case 'prepared':
    case 'waiting':
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
