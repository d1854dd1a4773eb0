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
  type Store,
  webStore,
} from '../../../client/index.ts';
import { api } from '../../api/api.ts';

/** Where the one launch of this browser stands. */
export type Launching =
  | { readonly step: 'none' }
  | { readonly step: 'asking' }
  /** The price is known; nothing is signed until a person says yes. */
  | {
      readonly step: 'priced';
      readonly quote: LaunchQuote;
      /** Whom it was prepared for: nobody else can sign it. */
      readonly wallet: string;
      readonly answer: (yes: boolean) => void;
    }
  | { readonly step: 'signing' }
  /** Signed and kept: the payment may land. */
  | { readonly step: 'sent'; readonly launch: SignedLaunch; readonly because: string }
  | { readonly step: 'ended'; readonly outcome: LaunchOutcome; readonly name: string }
  /** `isSigned`: it is kept and may land; else nothing was sent. */
  | { readonly step: 'failed'; readonly error: Error; readonly isSigned: boolean };

const STORE_KEY = 'slipway:launch';

/** Where launches go that a person puts aside. */
const ASIDE_KEY = 'slipway:launch-aside/';

/** The person sees every lamport before signing, so the client need not know a limit beside. */
const ANY_PRICE = BigInt(Number.MAX_SAFE_INTEGER);

/** Launches, goes on after a reload with what was signed before, and never signs twice. */
export function useLaunching() {
  const [state, setState] = useState<Launching>({ step: 'none' });
  const signed = useRef<SignedLaunch | null>(null);
  const running = useRef<Promise<void>>(undefined);
  const tell = useCallback((progress: LaunchProgress) => {
    if (progress.step === 'signed' || progress.step === 'resumed') signed.current = progress.launch;
    setState((before) => stateAfter(before, progress, signed.current));
  }, []);
  const run = useCallback(async (work: () => Promise<LaunchOutcome | null>) => {
    try {
      const outcome = await work();
      if (outcome === null || outcome.status === 'declined') setState({ step: 'none' });
      else setState({ step: 'ended', outcome, name: signed.current?.wish.name ?? '' });
    } catch (error) {
      setState({ step: 'failed', error: asError(error), isSigned: signed.current !== null });
    }
  }, []);
  const resume = useCallback(async () => {
    await run(() => untilKnown(() => resumeLaunch({ api, store: storeOf(), onProgress: tell })));
  }, [run, tell]);
  useEffect(() => void resume(), [resume]);
  const begin = async (signer: Signer, token: Omit<LaunchWish, 'creatorWallet'>) => {
    // A price that nobody signed is given up before another one is asked for.
    if (state.step === 'priced') state.answer(false);
    await running.current;
    signed.current = null;
    setState({ step: 'asking' });
    const approve = (quote: LaunchQuote) =>
      new Promise<boolean>((answer) => {
        const told = (yes: boolean) => {
          if (yes) setState({ step: 'signing' });
          answer(yes);
        };
        setState({ step: 'priced', quote, wallet: signer.address, answer: told });
      });
    const options = { api, signer, token, approve, store: storeOf(), maxLamports: ANY_PRICE, onProgress: tell };
    running.current = run(async () => {
      const outcome = await launch(options);
      return outcome.status === 'unknown' ? untilKnown(() => resumeLaunch(options)) : outcome;
    });
    await running.current;
  };
  const putAside = () => {
    const kept = localStorage.getItem(STORE_KEY);
    if (kept !== null && signed.current) localStorage.setItem(ASIDE_KEY + signed.current.paymentSignature, kept);
    localStorage.removeItem(STORE_KEY);
    signed.current = null;
    setState({ step: 'none' });
  };
  return { state, begin, resume, putAside };
}

/** Refuses a second launch that was begun in another tab: without the platform's signature it cannot land, so nothing is lost. */
function storeOf(): Store {
  const store = webStore(localStorage, STORE_KEY);
  const save = (text: string) => {
    if (localStorage.getItem(STORE_KEY) === null) return store.save(text);
    throw new Error(
      'Another launch was signed in this browser meanwhile. Load this page again: it goes on with that one.',
    );
  };
  return { ...store, save };
}

/** Asks on when patience is over: whoever leaves the page goes on when they come back. */
async function untilKnown(ask: () => Promise<LaunchOutcome | null>): Promise<LaunchOutcome | null> {
  for (;;) {
    const outcome = await ask();
    if (outcome?.status !== 'unknown') return outcome;
  }
}

function stateAfter(before: Launching, progress: LaunchProgress, signed: SignedLaunch | null): Launching {
  switch (progress.step) {
    case 'prepared':
    case 'ended':
      return before;
    case 'signed':
    case 'resumed':
      return { step: 'sent', launch: progress.launch, because: '' };
    case 'waiting':
      return signed ? { step: 'sent', launch: signed, because: progress.because } : before;
  }
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error('the wallet did not sign');
}
