import { Link, useLocation } from 'wouter';
import { api } from '../../api/api.ts';
import { useAnswer } from '../../api/use-answer.ts';
import { FollowEvents } from '../../events/follow-events.tsx';
import type { Answer } from '../../../client/index.ts';
import { count, usd } from '../../format/numbers.ts';
import { ago } from '../../format/texts.ts';
import { Amount } from '../../parts/amount.tsx';
import { Answered } from '../../parts/answered.tsx';
import { CreatorText } from '../../parts/creator-text.tsx';
import { OnChain } from '../../parts/on-chain.tsx';
import { Table } from '../../parts/table.tsx';
import { useTitle } from '../../parts/use-title.ts';
import { useWallet } from '../../wallet/wallet-context.ts';
import { WalletRewards } from './wallet-rewards.tsx';

const EVERY_MS = 10_000;
const LIMIT = 25;

type Overview = Answer<'GET /rewards'>;

const TYPES = ['token.launched', 'round.observed', 'round.divided', 'round.paid'] as const;

export default function RewardsPage({ wallet }: { readonly wallet?: string }) {
  return (
    <FollowEvents filter={{ types: TYPES }}>
      <Rewards {...(wallet !== undefined && { wallet })} />
    </FollowEvents>
  );
}

function Rewards({ wallet }: { readonly wallet?: string }) {
  useTitle(wallet === undefined ? 'Rewards' : 'Rewards of a wallet');
  const { signer } = useWallet();
  const asked = useAnswer(['rewards'], (signal) => api.ask('GET /rewards', { query: { limit: LIMIT }, signal }), {
    everyMs: EVERY_MS,
    on: { subjects: ['round'] },
  });
  const shown = wallet ?? signer?.address;
  return (
    <>
      <h1>{wallet === undefined ? 'Rewards' : 'Rewards of a wallet'}</h1>
      <p className="lead">
        Some coins tax every transfer and pay it to those who hold them, in the token they are paired with.
      </p>
      <LookUp />
      <div className="stack">
        {shown !== undefined && <WalletRewards wallet={shown} />}
        <Answered asked={asked}>
          {(overview) => (
            <>
              <Coins coins={overview.launches} />
              <Distributions distributions={overview.recentDistributions} />
            </>
          )}
        </Answered>
      </div>
    </>
  );
}

function LookUp() {
  const [, go] = useLocation();
  return (
    <form
      className="inline-form"
      onSubmit={(event) => {
        event.preventDefault();
        const wallet = new FormData(event.currentTarget).get('wallet');
        if (typeof wallet === 'string' && wallet.trim() !== '') go(`/rewards/${wallet.trim()}`);
      }}
    >
      <input name="wallet" aria-label="Address of a wallet" placeholder="Address of a wallet" autoComplete="off" />
      <button type="submit" className="button quiet">
        Look
      </button>
    </form>
  );
}

function Coins({ coins }: { readonly coins: Overview['launches'] }) {
  return (
    <section className="panel" aria-labelledby="coins-title">
      <h2 id="coins-title">What coins have paid</h2>
      {coins.length === 0 ? (
        <p className="empty">No coin has paid yet. Rounds run by themselves once enough was collected.</p>
      ) : (
        <Table
          label="Coins"
          columns={[
            'Coin',
            { figures: 'Paid' },
            { figures: 'Worth' },
            { figures: 'Wallets' },
            { figures: 'Rounds' },
            'Last',
          ]}
        >
          {coins.map(
            ({ mint, name, quote, distributedTokens, distributedUsd, holderCount, roundCount, lastPayoutAt }) => (
              <tr key={mint}>
                <td>
                  <Link href={`/tokens/${mint}`}>
                    <CreatorText>{name}</CreatorText>
                  </Link>
                </td>
                <td className="right">
                  <Amount tokens={distributedTokens} symbol={quote.symbol} />
                </td>
                <td className="right">{usd(distributedUsd)}</td>
                <td className="right">{count(holderCount)}</td>
                <td className="right">{count(roundCount)}</td>
                <td>{lastPayoutAt !== null && ago(lastPayoutAt)}</td>
              </tr>
            ),
          )}
        </Table>
      )}
    </section>
  );
}

function Distributions({ distributions }: { readonly distributions: Overview['recentDistributions'] }) {
  if (distributions.length === 0) return null;
  return (
    <section className="panel" aria-labelledby="distributions-title">
      <h2 id="distributions-title">Newest payouts</h2>
      <Table label="Payouts" columns={['When', 'Coin', { figures: 'Paid' }, { figures: 'Wallets' }, 'Transaction']}>
        {distributions.map(({ signature, symbol, quoteSymbol, amountTokens, holderCount, distributedAt }) => (
          <tr key={signature}>
            <td>{ago(distributedAt)}</td>
            <td>
              <CreatorText>{symbol}</CreatorText>
            </td>
            <td className="right">
              <Amount tokens={amountTokens} symbol={quoteSymbol} />
            </td>
            <td className="right">{count(holderCount)}</td>
            <td>
              <OnChain kind="tx" id={signature} what="payout" />
            </td>
          </tr>
        ))}
      </Table>
    </section>
  );
}
