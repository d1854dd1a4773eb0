import { lazy, Suspense } from 'react';
import { api } from '../../api/api.ts';
import { useAnswer } from '../../api/use-answer.ts';
import type { Answer } from '../../../client/index.ts';
import { count, counted, number, usd } from '../../format/numbers.ts';
import { Answered } from '../../parts/answered.tsx';
import { Figure, Figures } from '../../parts/figure.tsx';
import { InTurn } from '../../parts/turn.tsx';
import { useTitle } from '../../parts/use-title.ts';
import { Budgets } from './budgets.tsx';
import { daysOfBurns } from './days.ts';
import { RecentBurns, RecentBuybacks, RecentHarvests } from './recent.tsx';
import { Wallets } from './wallets.tsx';

const DayChart = lazy(() => import('./day-chart.tsx'));

const EVERY_MS = 15_000;
const LIMIT = 100;

type Revenue = Answer<'GET /revenue'>;

export default function PlatformPage() {
  useTitle('The platform');
  const revenue = useAnswer(['revenue'], (signal) => api.ask('GET /revenue', { query: { limit: LIMIT }, signal }), {
    everyMs: EVERY_MS,
  });
  return (
    <>
      <h1>The platform</h1>
      <p className="lead">
        Fees of the platform’s own positions come to its treasury; a part buys tokens back and burns them.
      </p>
      <Answered asked={revenue}>
        {(data) => (
          <div className="stack">
            <Totals revenue={data} />
            <div className="two">
              <RevenueByDay />
              <BurnsByDay burns={data.recentBurns} />
            </div>
            <BySource revenue={data} />
            <RecentBuybacks buybacks={data.recentBuybacks} />
            <RecentBurns burns={data.recentBurns} />
            <RecentHarvests harvests={data.recentHarvests} />
          </div>
        )}
      </Answered>
      <div className="stack proofs">
        <InTurn>
          <Wallets />
        </InTurn>
        <InTurn>
          <Budgets />
        </InTurn>
      </div>
    </>
  );
}

function Totals({ revenue: { revenue, burns } }: { readonly revenue: Revenue }) {
  return (
    <section className="panel" aria-labelledby="totals-title">
      <h2 id="totals-title">In all</h2>
      <Figures>
        <Figure name="Revenue">{usd(revenue.totalRevenueUsd)}</Figure>
        <Figure name="For holders">{usd(revenue.holdersRevenueUsd)}</Figure>
        <Figure name="Paid for buybacks">{usd(revenue.totalBuybackUsd)}</Figure>
        <Figure name="Bought back">{number(revenue.boughtBackTokens)}</Figure>
        <Figure name="Burned">{usd(burns.totalValueUsdAtBurn)}</Figure>
        <Figure name="Burns">{count(burns.burnCount)}</Figure>
      </Figures>
    </section>
  );
}

function RevenueByDay() {
  const asked = useAnswer(['revenue-history'], (signal) => api.ask('GET /revenue/history', { signal }), {
    everyMs: 60_000,
  });
  return (
    <section className="panel" aria-labelledby="days-title">
      <h2 id="days-title">Revenue by day, USD</h2>
      <Answered asked={asked}>
        {({ days }) => (
          <Chart what="Revenue" days={days.map(({ date, dailyRevenue }) => ({ date, value: dailyRevenue }))} />
        )}
      </Answered>
    </section>
  );
}

function BurnsByDay({ burns }: { readonly burns: Revenue['recentBurns'] }) {
  return (
    <section className="panel" aria-labelledby="burn-days-title">
      <h2 id="burn-days-title">Burned by day, USD, of the newest {LIMIT} burns</h2>
      <Chart what="Burns" days={daysOfBurns(burns)} />
    </section>
  );
}

function Chart({
  what,
  days,
}: {
  readonly what: string;
  readonly days: readonly { readonly date: string; readonly value: number }[];
}) {
  if (days.every(({ value }) => value === 0)) return <p className="empty">Nothing yet.</p>;
  return (
    <Suspense fallback={<div className="day-chart" />}>
      <DayChart what={what} days={days} />
    </Suspense>
  );
}

function BySource({ revenue: { burns } }: { readonly revenue: Revenue }) {
  const sources = Object.entries(burns.bySource);
  if (sources.length === 0) return null;
  return (
    <section className="panel" aria-labelledby="sources-title">
      <h2 id="sources-title">Why tokens were burned</h2>
      <Figures>
        {sources.map(([source, { valueUsd, count: burnCount }]) => (
          <Figure key={source} name={source}>
            {usd(valueUsd)} <small className="quiet-text">{counted(burnCount, 'burn')}</small>
          </Figure>
        ))}
      </Figures>
    </section>
  );
}
