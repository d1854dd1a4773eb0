import { Link } from 'wouter';
import { api } from '../../api/api.ts';
import type { Token } from '../../api/types.ts';
import { useAnswer } from '../../api/use-answer.ts';
import { count, number, usd } from '../../format/numbers.ts';
import { ago, isolated } from '../../format/texts.ts';
import { Answered } from '../../parts/answered.tsx';
import { CreatorText } from '../../parts/creator-text.tsx';
import { Figure, Figures } from '../../parts/figure.tsx';

const EVERY_MS = 10_000;

export function RewardsPanel({ token }: { readonly token: Token }) {
  const { mint, quoteSymbol } = token;
  const asked = useAnswer(
    ['token-rewards', mint],
    (signal) => api.ask('GET /tokens/{mint}/rewards', { path: { mint }, signal }),
    {
      everyMs: EVERY_MS,
      on: { subjects: ['trade', 'round'] },
    },
  );
  return (
    <section className="panel" aria-labelledby="rewards-title">
      <h2 id="rewards-title">Rewards of holders</h2>
      <Answered asked={asked}>
        {({ rewards, message }) =>
          rewards === null ? (
            <p>{message}</p>
          ) : (
            <>
              <Figures>
                <Figure name={`Paid, ${isolated(quoteSymbol)}`}>
                  {number(rewards.distributedTokens)}{' '}
                  <small className="quiet-text">{usd(rewards.distributedUsd)}</small>
                </Figure>
                <Figure name={`Next round, ${isolated(quoteSymbol)}`}>{number(rewards.undistributedTokens)}</Figure>
                <Figure name="Wallets paid">{count(rewards.holderCount)}</Figure>
                <Figure name="Rounds">{count(rewards.roundCount)}</Figure>
              </Figures>
              <p className="hint">
                {rewards.transferFee.bps / 100} % of every transfer is sold for <CreatorText>{quoteSymbol}</CreatorText>{' '}
                and paid to those who hold.
                {rewards.lastPayoutAt !== null && ` Last paid ${ago(rewards.lastPayoutAt)}.`}{' '}
                <Link href="/rewards">What a wallet got, or why nothing</Link>
              </p>
            </>
          )
        }
      </Answered>
    </section>
  );
}
