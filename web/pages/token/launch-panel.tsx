import { lazy, Suspense } from 'react';
import type { Launch } from '../../api/types.ts';
import { number, sol, usd } from '../../format/numbers.ts';
import { moment } from '../../format/texts.ts';
import { Waiting } from '../../parts/answered.tsx';
import { Figure, Figures } from '../../parts/figure.tsx';
import { OnChain } from '../../parts/on-chain.tsx';
import { Table } from '../../parts/table.tsx';
import { stateWords } from '../launch/launch-states.tsx';

// Curves, which the rest of the page does not need.
const Receipt = lazy(() => import('./receipt.tsx'));

const STEPS = ['Payment', 'Mint', 'Pool', 'Locked liquidity'] as const;

function stepWords(purpose: string): string {
  return STEPS[Number(purpose.split('/').at(-1)) - 1] ?? purpose;
}

export function LaunchPanel({ launch }: { readonly launch: Launch }) {
  const { payment, devBuy, airdrop, poolFeePercent, startMarketCapUsd, paymentSignature } = launch;
  return (
    <>
      <Figures>
        <Figure name="Paid">{sol(payment.lamports)}</Figure>
        <Figure name="Dev buy">{devBuy ? `${number(devBuy.netTokens ?? devBuy.tokens)} tokens` : 'none'}</Figure>
        <Figure name="Airdrop">{airdrop ? `${airdrop.percent} %` : 'none'}</Figure>
        <Figure name="Pool fee">{poolFeePercent} %</Figure>
        <Figure name="Opened at">{usd(startMarketCapUsd)}</Figure>
      </Figures>
      <p className="hint">
        Paid by <OnChain kind="tx" id={paymentSignature} what="payment" letters={6} />
      </p>
      <ol className="states">
        {launch.states.map(({ state, at, slot }, index) => (
          <li key={`${state}/${at}`}>
            <strong>{stateWords(state, index < launch.states.length - 1)}</strong> <span>{moment(at)}</span>{' '}
            {slot !== null && <span>slot {slot}</span>}
          </li>
        ))}
      </ol>
      <Table label="Transactions of the launch" columns={['Does', 'Status', { figures: 'Slot' }, 'Transaction']}>
        {launch.transactions.map(({ purpose, status, signature, slot }) => (
          <tr key={signature}>
            <td>{stepWords(purpose)}</td>
            <td>{status}</td>
            <td className="right">{slot}</td>
            <td>
              <OnChain kind="tx" id={signature} what="transaction" letters={6} />
            </td>
          </tr>
        ))}
      </Table>
      <Suspense fallback={<Waiting />}>
        <Receipt launch={launch} />
      </Suspense>
    </>
  );
}
