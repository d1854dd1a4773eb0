import type { ClaimOutcome } from '../../../client/index.ts';
import { Amount } from '../../parts/amount.tsx';
import { Notice, plainError } from '../../parts/answered.tsx';
import { OnChain } from '../../parts/on-chain.tsx';
import type { Claiming } from './claiming.ts';

interface ClaimStateProps {
  readonly state: Claiming | undefined;
  readonly onPutAside: () => void;
}

export function ClaimState({ state, onPutAside }: ClaimStateProps) {
  switch (state?.step) {
    case undefined:
      return null;
    case 'asking':
      return <Notice>Asking what there is …</Notice>;
    case 'signing':
      return <Notice>Checked. Your wallet asks you to sign.</Notice>;
    case 'sent':
      return <Notice>Signed, and on its way. You may close this page: it goes on when you open it.</Notice>;
    case 'ended':
      return <Ended outcome={state.outcome} />;
    case 'damaged':
      return (
        <Notice kind="warn">
          A claim was signed here, and what this browser kept of it is damaged. If it was paid, its fees are in your
          wallet; what is left is shown here, and the same fees are never paid twice.{' '}
          <button type="button" className="button quiet" onClick={onPutAside}>
            Set it aside
          </button>
        </Notice>
      );
    case 'failed':
      return state.isSigned ? (
        <Notice kind="warn">
          Not known yet whether it was paid; this page asks again when you open it. {plainError(state.error)}
        </Notice>
      ) : (
        <Notice kind="bad">Nothing was sent, and nothing was claimed. {plainError(state.error)}</Notice>
      );
  }
}

function Ended({ outcome }: { readonly outcome: ClaimOutcome }) {
  switch (outcome.status) {
    case 'paid': {
      const { quote, base } = outcome.amounts;
      return (
        <Notice kind="good">
          Paid: <Amount tokens={quote.amountTokens} symbol={quote.symbol} /> and{' '}
          <Amount tokens={base.amountTokens} symbol={base.symbol} />.{' '}
          <OnChain kind="tx" id={outcome.signature} what="claim" />
        </Notice>
      );
    }
    case 'nothing_to_claim':
      return <Notice>Nothing to claim: {outcome.reason}</Notice>;
    case 'not_paid':
      return <Notice kind="warn">Not paid, and it never will be: claim again. {outcome.reason}</Notice>;
    case 'refused':
      return <Notice kind="warn">{outcome.reason}</Notice>;
    case 'unknown':
      return <Notice kind="warn">It may still be paid: this page asks again when you open it. {outcome.reason}</Notice>;
    case 'declined':
      return <Notice>Nothing was signed: your wallet shares another account now.</Notice>;
  }
}
