import { useState } from 'react';
import { useLocation } from 'wouter';
import { isAddress } from '../../../client/solana/bytes.ts';
import { api } from '../../api/api.ts';
import { useAnswer } from '../../api/use-answer.ts';
import { FollowEvents } from '../../events/follow-events.tsx';
import { Answered } from '../../parts/answered.tsx';
import { count } from '../../format/numbers.ts';
import { Figure, Figures } from '../../parts/figure.tsx';
import { OnChain } from '../../parts/on-chain.tsx';
import { Pager } from '../../parts/pager.tsx';
import { useTitle } from '../../parts/use-title.ts';
import { WalletButton } from '../../wallet/wallet-button.tsx';
import { useWallet } from '../../wallet/wallet-context.ts';
import { Launches } from './launches.tsx';

/** Default: connected. */
export default function CreatorPage({ wallet }: { readonly wallet?: string }) {
  const { signer } = useWallet();
  const creator = wallet ?? signer?.address;
  useTitle(wallet === undefined ? 'My launches' : 'Launches of a wallet');
  return (
    <>
      <h1>{wallet === undefined ? 'My launches' : 'Launches of a wallet'}</h1>
      {creator === undefined ? (
        <NoWallet />
      ) : (
        <FollowEvents filter={isAddress(creator) ? { types: TYPES, creator } : null}>
          <OfCreator key={creator} creator={creator} />
        </FollowEvents>
      )}
    </>
  );
}

function NoWallet() {
  const [, go] = useLocation();
  return (
    <section className="empty">
      <p>Connect the wallet that you launched with, or look at any other.</p>
      <WalletButton label="Connect a wallet" />
      <form
        className="inline-form"
        onSubmit={(event) => {
          event.preventDefault();
          const wallet = new FormData(event.currentTarget).get('wallet');
          if (typeof wallet === 'string' && wallet.trim() !== '') go(`/creator/${wallet.trim()}`);
        }}
      >
        <input name="wallet" aria-label="Address of a wallet" placeholder="Address of a wallet" autoComplete="off" />
        <button type="submit" className="button quiet">
          Look
        </button>
      </form>
    </section>
  );
}

const EVERY_MS = 10_000;
const PAGE_SIZE = 10;

const TYPES = [
  'token.launched',
  'token.graduated',
  'token.withdrawn',
  'trade.confirmed',
  'trade.final',
  'trade.withdrawn',
  'claim.paid',
] as const;

function OfCreator({ creator }: { readonly creator: string }) {
  const [page, setPage] = useState(1);
  const query = { creator, page, pageSize: PAGE_SIZE };
  const asked = useAnswer(['launches', query], (signal) => api.ask('GET /launches', { query, signal }), {
    everyMs: EVERY_MS,
    on: { subjects: ['token', 'trade'] },
  });
  return (
    <>
      <p className="hint">
        <OnChain kind="address" id={creator} what="wallet" letters={8} />
      </p>
      <Answered asked={asked}>
        {({ launches, pagination, creator: record }) => (
          <>
            {record && record.launches > 0 && (
              <Figures>
                <Figure name="Launches">{count(record.launches)}</Figure>
                <Figure name="Graduated">{count(record.graduated)}</Figure>
                <Figure name="Traded in 24 h">{count(record.stillTraded)}</Figure>
              </Figures>
            )}
            <Launches creator={creator} launches={launches} areAll={pagination.totalPages <= 1} />
            <Pager pagination={pagination} onPage={setPage} />
          </>
        )}
      </Answered>
    </>
  );
}
