import { useEffect, useRef, useState } from 'react';
import { isAddress } from '../../../../client/solana/bytes.ts';
import { type CheckedRound, checkRound } from '../../../proof/check-round.ts';
import { documentText } from '../../../proof/document-text.ts';
import { documentUrl } from '../../../proof/document-url.ts';

export interface AskedRound {
  readonly mint: string;
  readonly number: number;
  readonly root: string;
  readonly wallet: string;
}

export type RoundCheck =
  | { readonly kind: 'idle' }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'checking'; readonly bytes: number }
  | ({ readonly kind: 'checked'; readonly asked: AskedRound } & CheckedRound);

/** Checks one round at a time; a newer question ends the one before it. */
export function useRoundCheck(): { readonly state: RoundCheck; readonly check: (asked: AskedRound) => void } {
  const [state, setState] = useState<RoundCheck>({ kind: 'idle' });
  const running = useRef<AbortController>(null);
  useEffect(() => () => running.current?.abort(), []);
  const check = (asked: AskedRound) => {
    running.current?.abort();
    const control = new AbortController();
    running.current = control;
    const show = (next: RoundCheck) => {
      if (!control.signal.aborted) setState(next);
    };
    show({ kind: 'checking', bytes: 0 });
    void resultOf(asked, control.signal, (bytes) => show({ kind: 'checking', bytes })).then(show);
  };
  return { state, check };
}

async function resultOf(asked: AskedRound, signal: AbortSignal, onRead: (bytes: number) => void): Promise<RoundCheck> {
  const { root, wallet } = asked;
  if (!isAddress(wallet)) return { kind: 'refused', reason: `"${wallet}" is not the address of a wallet.` };
  const text = documentText(root, signal, onRead);
  const checked = await checkRound({ ...asked, text, source: documentUrl(root) });
  return { kind: 'checked', asked, ...checked };
}
