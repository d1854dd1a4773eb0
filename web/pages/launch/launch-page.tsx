import { useEffect, useRef, useState } from 'react';
import { UnreadableStoreError } from '../../../client/index.ts';
import { useStats } from '../../api/stats.ts';
import type { Stats } from '../../api/types.ts';
import { short } from '../../format/texts.ts';
import { Answered, Notice, plainError } from '../../parts/answered.tsx';
import { CreatorText } from '../../parts/creator-text.tsx';
import { useTitle } from '../../parts/use-title.ts';
import { WalletButton } from '../../wallet/wallet-button.tsx';
import { useWallet } from '../../wallet/wallet-context.ts';
import { DamagedLaunch } from './damaged-launch.tsx';
import { type Draft, type Problems, problemsOf, remainingProblems, wishOf } from './draft.ts';
import { LaunchForm } from './launch-form.tsx';
import { LaunchStates } from './launch-states.tsx';
import { Outcome } from './outcome.tsx';
import { Price } from './price.tsx';
import { useDraft } from './use-draft.ts';
import { type Launching, useLaunching } from './use-launching.ts';

export default function LaunchPage() {
  useTitle('Launch a token');
  const stats = useStats();
  return (
    <div className="narrow">
      <h1>Launch a token</h1>
      <Answered asked={stats}>{(data) => <Steps stats={data} />}</Answered>
    </div>
  );
}

/** They replace the form, with the focused element. */
const NEWS: readonly Launching['step'][] = ['priced', 'sent', 'ended'];

function Steps({ stats }: { readonly stats: Stats }) {
  const { draft, change, startOver } = useDraft();
  const { state, begin, resume, putAside } = useLaunching();
  const { signer } = useWallet();
  // The next step is at the top.
  useEffect(() => {
    scrollTo(0, 0);
    if (NEWS.includes(state.step)) document.getElementById('content')?.focus({ preventScroll: true });
  }, [state.step]);
  const isLive = state.step === 'ended' && state.outcome.status === 'completed';
  useEffect(() => {
    if (isLive) startOver();
  }, [isLive, startOver]);
  const ask = () => {
    if (signer) void begin(signer, wishOf(draft));
  };
  switch (state.step) {
    case 'none':
    case 'asking':
    case 'failed':
      if (state.step === 'failed' && state.error instanceof UnreadableStoreError)
        return <DamagedLaunch kept={state.error.kept} onPutAside={putAside} />;
      if (state.step === 'failed' && state.isSigned)
        return <Uncertain error={state.error} onResume={() => void resume()} />;
      return (
        <>
          {state.step === 'failed' && <Failure state={state} />}
          <FillIn
            draft={draft}
            stats={stats}
            asking={state.step === 'asking' ? state : null}
            onChange={change}
            onReady={ask}
          />
        </>
      );
    case 'priced':
      if (signer?.address !== state.wallet)
        return <WrongWallet wallet={state.wallet} onBack={() => state.answer(false)} />;
      return <Price {...state} onAnswer={state.answer} onRenew={() => void begin(signer, state.token)} />;
    case 'signing':
      return (
        <Notice>
          Your wallet asks you to sign. Nothing is sent before you do: if it shows nothing, load this page again.
        </Notice>
      );
    case 'sent':
      return <Sent state={state} />;
    case 'ended':
      return state.outcome.status === 'declined' ? null : (
        <Outcome outcome={state.outcome} name={state.name} onAgain={putAside} onDecided={() => void resume()} />
      );
  }
}

interface FillInProps {
  readonly draft: Draft;
  readonly stats: Stats;
  readonly asking: Extract<Launching, { readonly step: 'asking' }> | null;
  readonly onChange: (changed: Partial<Draft>) => void;
  readonly onReady: () => void;
}

function FillIn({ draft, stats, asking, onChange, onReady }: FillInProps) {
  const isAsking = asking !== null;
  const { signer } = useWallet();
  const form = useRef<HTMLFormElement>(null);
  const problems = problemsOf(draft, stats);
  const isComplete = Object.keys(problems).length === 0;
  const [found, setFound] = useState<Problems>({});
  // It may be out of sight.
  useEffect(() => form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus(), [found]);
  const next = () => {
    setFound(problems);
    if (isComplete) onReady();
  };
  const shown = remainingProblems(found, problems);
  if (!stats.config.paidLaunchesEnabled)
    return <Notice kind="warn">Launching is paused at present. Nothing can be charged.</Notice>;
  return (
    <form
      ref={form}
      className="launch-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        next();
      }}
    >
      <p className="lead">
        Fill this in, look at the price, sign once. Until you sign, nothing is charged and nothing is reserved.
      </p>
      <LaunchForm draft={draft} problems={shown} config={stats.config} onChange={onChange} />
      {asking?.because !== undefined && <Notice kind="info">Nothing is signed yet: {asking.because}.</Notice>}
      {isAsking && asking.because === undefined && <AskingLong />}
      {Object.keys(shown).length > 0 && (
        <Notice kind="warn">Something is missing or does not fit; it is said beside each field.</Notice>
      )}
      <div className="actions">
        {signer ? (
          <button type="submit" className="button large" disabled={isAsking}>
            {isAsking ? 'Asking for the price …' : 'Show me the price'}
          </button>
        ) : (
          <WalletButton label="Connect a wallet to go on" />
        )}
      </div>
    </form>
  );
}

const LONG_MS = 5_000;

/** The client retries; the message appears after a while. */
function AskingLong() {
  const [isLong, setLong] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLong(true), LONG_MS);
    return () => clearTimeout(timer);
  }, []);
  if (!isLong) return null;
  return (
    <Notice kind="info">
      The platform is busy, or you asked too often. This page waits as long as it is told to and asks again by itself.
      Nothing is signed.
    </Notice>
  );
}

function Failure({ state }: { readonly state: Extract<Launching, { readonly step: 'failed' }> }) {
  return (
    <Notice kind="bad">
      <strong>Nothing was sent, and nothing was charged.</strong> {plainError(state.error)}
    </Notice>
  );
}

function WrongWallet({ wallet, onBack }: { readonly wallet: string; readonly onBack: () => void }) {
  return (
    <section className="panel">
      <Notice kind="warn">
        <strong>Your wallet shares another account now, or none.</strong> This price was made for{' '}
        <code>{short(wallet)}</code>, and only that account can sign it. Nothing is signed, and nothing was charged.
      </Notice>
      <button type="button" className="button" onClick={onBack}>
        Back to the form
      </button>
    </section>
  );
}

/** Warns that only the platform knows the outcome. */
function Uncertain({ error, onResume }: { readonly error: Error; readonly onResume: () => void }) {
  return (
    <section className="panel">
      <Notice kind="warn">
        <strong>It is not known whether the payment landed: never pay again.</strong> {plainError(error)}
      </Notice>
      <button type="button" className="button" onClick={onResume}>
        Ask again
      </button>
    </section>
  );
}

/** A submit arrives within this time as a rule, ms. */
const SUBMIT_MS = 3_000;

function Sent({ state }: { readonly state: Extract<Launching, { readonly step: 'sent' }> }) {
  const { launch } = state;
  return (
    <section className="panel" aria-labelledby="sent-title">
      <h2 id="sent-title">
        <CreatorText>{launch.wish.name}</CreatorText> is being launched
      </h2>
      <Notice kind="warn">
        <strong>Never pay again.</strong> Your payment is signed and may land. You can close or reload this page: it
        goes on from here and signs nothing a second time.
      </Notice>
      <LaunchStates
        waitMs={SUBMIT_MS}
        paymentSignature={launch.paymentSignature}
        unknown="The platform has not taken it in yet. This page hands it in again by itself."
      />
      <p className="hint">The page keeps asking by itself.</p>
    </section>
  );
}
