import { lazy, Suspense, useMemo } from 'react';
import { Link } from 'wouter';
import type { Answer } from '../../../client/index.ts';
import { api } from '../../api/api.ts';
import { useAnswer } from '../../api/use-answer.ts';
import { count, usd } from '../../format/numbers.ts';
import { Amount } from '../../parts/amount.tsx';
import { Answered } from '../../parts/answered.tsx';
import { CreatorText } from '../../parts/creator-text.tsx';
import { LostPart } from '../../parts/lost-part.tsx';
import { Table } from '../../parts/table.tsx';
import { CsvButton } from './csv-button.tsx';
import { daysOfRewards } from './reward-days.ts';

const DayChart = lazy(() => import('../platform/day-chart.tsx'));

const EVERY_MS = 15_000;
/** The payments are in the CSV. */
const LIMIT = 1;
const SHOWN_ROWS = 30;

type RewardDay = Answer<'GET /wallets/{wallet}/rewards'>['days'][number];

export function RewardsPanel({ wallet }: { readonly wallet: string }) {
  const asked = useAnswer(
    ['wallet-rewards', wallet],
    (signal) => api.ask('GET /wallets/{wallet}/rewards', { path: { wallet }, query: { limit: LIMIT }, signal }),
    { everyMs: EVERY_MS, on: { subjects: ['payout'] } },
  );
  return (
    <section className="panel" aria-labelledby="rewards-title">
      <div className="panel-head">
        <h2 id="rewards-title">Rewards of the last 30 days, USD</h2>
        {(asked.data?.payouts.length ?? 0) > 0 && (
          <CsvButton wallet={wallet} list="rewards" label="All payments as CSV" />
        )}
      </div>
      <Answered asked={asked}>
        {({ days }) =>
          days.length === 0 ? (
            <p className="empty">No reward was paid to this wallet in this time.</p>
          ) : (
            <Days days={days} />
          )
        }
      </Answered>
    </section>
  );
}

function Days({ days }: { readonly days: readonly RewardDay[] }) {
  const sums = useMemo(() => daysOfRewards(days), [days]);
  return (
    <>
      <LostPart place="rewards">
        <Suspense fallback={<div className="day-chart" />}>
          <DayChart what="Rewards" days={sums} />
        </Suspense>
      </LostPart>
      <Table
        label="Rewards by day"
        columns={['Day', 'Coin', { figures: 'Paid' }, { figures: 'Worth' }, { figures: 'Payments' }]}
      >
        {days.slice(0, SHOWN_ROWS).map(({ date, mint, symbol, amountTokens, quoteSymbol, valueUsd, payoutCount }) => (
          <tr key={`${date}/${mint}`}>
            <td>{date}</td>
            <td>
              <Link href={`/tokens/${mint}`}>
                <CreatorText>{symbol}</CreatorText>
              </Link>
            </td>
            <td className="right">
              <Amount tokens={amountTokens} symbol={quoteSymbol} />
            </td>
            <td className="right">{usd(valueUsd)}</td>
            <td className="right">{count(payoutCount)}</td>
          </tr>
        ))}
      </Table>
      {days.length > SHOWN_ROWS && <p className="hint">The CSV has every payment.</p>}
    </>
  );
}
