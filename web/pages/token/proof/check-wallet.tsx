import { useState } from 'react';
import type { Answer } from '../../../../client/index.ts';
import { isAddress } from '../../../../client/solana/bytes.ts';
import type { Token } from '../../../api/types.ts';
import { verifyRoundCommand } from '../../../format/commands.ts';
import { byteSize } from '../../../format/numbers.ts';
import { Notice } from '../../../parts/answered.tsx';
import { Command } from '../../../parts/command.tsx';
import { documentUrl } from '../../../proof/document-url.ts';
import { useWallet } from '../../../wallet/wallet-context.ts';
import type { RoundWithSeal } from './round.ts';
import { useRoundCheck } from './use-round-check.ts';
import { Verdict } from './verdict.tsx';

interface CheckWalletProps {
  readonly token: Token;
  readonly quote: Answer<'GET /tokens/{mint}/rewards/rounds'>['quote'];
  /** Newest first. */
  readonly rounds: readonly RoundWithSeal[];
}

/** Recomputes a round in the browser, and shows the row of a wallet. */
export function CheckWallet({ token, quote, rounds }: CheckWalletProps) {
  const { signer } = useWallet();
  const [typed, setTyped] = useState<string | null>(null);
  const [chosen, setChosen] = useState<number | null>(null);
  const { state, check } = useRoundCheck();
  const round = rounds.find(({ number }) => number === chosen) ?? rounds[0];
  if (!round) return null;
  const wallet = (typed ?? signer?.address ?? '').trim();
  const { root, byteCount } = round.seal;
  const sealed = {
    mint: token.mint,
    number: round.number,
    windowSlots: round.windowSlots,
    documentUrl: documentUrl(root),
  };
  return (
    <section aria-labelledby="check-title">
      <h3 id="check-title">Check my wallet</h3>
      <form
        className="check-form"
        onSubmit={(event) => {
          event.preventDefault();
          check({ mint: token.mint, number: round.number, root, wallet });
        }}
      >
        <label>
          <span>Wallet</span>
          <input value={wallet} onInput={(event) => setTyped(event.currentTarget.value)} autoComplete="off" />
        </label>
        <RoundChoice rounds={rounds} value={round.number} onChange={setChosen} />
        <button type="submit" className="button" disabled={state.kind === 'checking'}>
          Check
        </button>
      </form>
      <p className="hint">
        Your browser reads the whole document ({byteSize(byteCount)}), hashes every line to its root, and divides the
        budget again.
      </p>
      {state.kind === 'refused' && <Notice kind="warn">{state.reason}</Notice>}
      {state.kind === 'checking' && <Notice>Reading and hashing: {byteSize(state.bytes)} …</Notice>}
      {state.kind === 'checked' && <Verdict token={token} quote={quote} result={state} />}
      <Command text={verifyRoundCommand(sealed, isAddress(wallet) ? wallet : undefined)} />
    </section>
  );
}

interface RoundChoiceProps {
  readonly rounds: readonly RoundWithSeal[];
  readonly value: number;
  readonly onChange: (number: number) => void;
}

function RoundChoice({ rounds, value, onChange }: RoundChoiceProps) {
  return (
    <label>
      <span>Round</span>
      <select value={value} onChange={(event) => onChange(Number(event.currentTarget.value))}>
        {rounds.map(({ number }) => (
          <option key={number} value={number}>
            {number}
          </option>
        ))}
      </select>
    </label>
  );
}
