import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { Answer } from '../../../client/index.ts';
import { number, usd } from '../../format/numbers.ts';
import { ago, short } from '../../format/texts.ts';
import { Amount } from '../../parts/amount.tsx';
import { CreatorText } from '../../parts/creator-text.tsx';
import { OnChain } from '../../parts/on-chain.tsx';
import { Table } from '../../parts/table.tsx';

type Revenue = Answer<'GET /revenue'>;

const SHOWN = 15;

interface LedgerProps {
  readonly title: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly [key: string, ...cells: readonly ReactNode[]])[];
}

function Ledger({ title, columns, rows }: LedgerProps) {
  if (rows.length === 0) return null;
  return (
    <section className="panel">
      <h2>{title}</h2>
      <Table label={title} columns={[...columns, 'Transaction']}>
        {rows.slice(0, SHOWN).map(([signature, ...cells]) => (
          <tr key={signature}>
            {cells.map((cell, index) => (
              <td key={columns[index]}>{cell}</td>
            ))}
            <td>
              <OnChain kind="tx" id={signature} what="transaction" />
            </td>
          </tr>
        ))}
      </Table>
    </section>
  );
}

export function RecentBuybacks({ buybacks }: { readonly buybacks: Revenue['recentBuybacks'] }) {
  const rows = buybacks.map(
    ({ signature, boughtAt, symbol, boughtTokens, spentTokens, quote, spentValueUsd }) =>
      [
        signature,
        ago(boughtAt),
        <Amount key="bought" tokens={boughtTokens} symbol={symbol} />,
        <Amount key="spent" tokens={spentTokens} symbol={quote.symbol} />,
        usd(spentValueUsd),
      ] as const,
  );
  return <Ledger title="Bought back" columns={['When', 'Bought', 'Spent', 'Worth']} rows={rows} />;
}

export function RecentBurns({ burns }: { readonly burns: Revenue['recentBurns'] }) {
  const rows = burns.map(
    ({ signature, burnedAt, mint, symbol, amountTokens, valueUsdAtBurn, source }) =>
      [
        signature,
        ago(burnedAt),
        <Link key={mint} href={`/tokens/${mint}`}>
          <CreatorText>{symbol ?? short(mint)}</CreatorText>
        </Link>,
        number(amountTokens),
        usd(valueUsdAtBurn),
        source,
      ] as const,
  );
  return <Ledger title="Burned" columns={['When', 'Token', 'Amount', 'Worth then', 'Why']} rows={rows} />;
}

export function RecentHarvests({ harvests }: { readonly harvests: Revenue['recentHarvests'] }) {
  const rows = harvests.map(
    ({ signature, harvestedAt, mint, symbol, quoteTokens, quote, valueUsd }) =>
      [
        signature,
        ago(harvestedAt),
        <Link key={mint} href={`/tokens/${mint}`}>
          <CreatorText>{symbol}</CreatorText>
        </Link>,
        <Amount key="fees" tokens={quoteTokens} symbol={quote.symbol} />,
        usd(valueUsd),
      ] as const,
  );
  return <Ledger title="Collected" columns={['When', 'From', 'Fees', 'Worth']} rows={rows} />;
}
