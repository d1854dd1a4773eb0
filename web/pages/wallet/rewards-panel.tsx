import { lazy, Suspense, useEffect, useMemo, useRef, useState } from 'react';
import { Link } from 'wouter';
import type { Answer } from '../../../client/index.ts';
import { api } from '../../api/api.ts';
import { useAnswer } from '../../api/use-answer.ts';
import { count, usd } from '../../format/numbers.ts';
import { Amount } from '../../parts/amount.tsx';
import { Answered, Notice } from '../../parts/answered.tsx';
import { CreatorText } from '../../parts/creator-text.tsx';
import { LostPart } from '../../parts/lost-part.tsx';
import { Table } from '../../parts/table.tsx';
import { daysOfRewards } from './reward-days.ts';
import { rewardsCsv, saveText } from './rewards-csv.ts';

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
        {(asked.data?.payouts.length ?? 0) > 0 && <CsvButton wallet={wallet} />}
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

function CsvButton({ wallet }: { readonly wallet: string }) {
  const [isLoading, setLoading] = useState(false);
  const [error, setError] = useState<Error | null>(null);
  const left = useRef<AbortController>(null);
  // Reading ends when the page is left or shows another wallet.
  useEffect(() => {
    const leaving = new AbortController();
    left.current = leaving;
    setLoading(false);
    setError(null);
    return () => leaving.abort();
  }, [wallet]);
  const save = async () => {
    const signal = left.current?.signal;
    if (!signal) return;
    setLoading(true);
    setError(null);
    try {
      saveText(`rewards-${wallet}.csv`, await rewardsCsv(wallet, signal));
    } catch (cause) {
      if (signal.aborted) return;
      setError(cause instanceof Error ? cause : new Error('of an unknown error'));
    }
    setLoading(false);
  };
  return (
    <>
      <button type="button" className="button quiet" disabled={isLoading} onClick={() => void save()}>
        {isLoading ? 'Reading …' : 'All payments as CSV'}
      </button>
      {error && <Notice kind="warn">The list was not read: {error.message}</Notice>}
    </>
  );
}
