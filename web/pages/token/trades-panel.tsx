import { useState } from 'react';
import { api } from '../../api/api.ts';
import type { Token } from '../../api/types.ts';
import { useAnswer } from '../../api/use-answer.ts';
import type { Answer } from '../../../client/index.ts';
import { number, usd } from '../../format/numbers.ts';
import { ago } from '../../format/texts.ts';
import { Answered } from '../../parts/answered.tsx';
import { CreatorText } from '../../parts/creator-text.tsx';
import { OnChain } from '../../parts/on-chain.tsx';
import { Table } from '../../parts/table.tsx';
import { WalletLink } from '../../parts/wallet-link.tsx';

const EVERY_MS = 3_000;
const LIMIT = 25;

type Trade = Answer<'GET /tokens/{mint}/trades'>['trades'][number];

/** New trades do not shift older pages. */
export function TradesPanel({ token }: { readonly token: Token }) {
  const { mint } = token;
  const [cursors, setCursors] = useState<readonly string[]>([]);
  const cursor = cursors.at(-1);
  const asked = useAnswer(
    ['trades', mint, cursor],
    (signal) =>
      api.ask('GET /tokens/{mint}/trades', {
        path: { mint },
        query: { limit: LIMIT, ...(cursor && { cursor }) },
        signal,
      }),
    { everyMs: EVERY_MS, on: { subjects: ['trade'] } },
  );
  return (
    <Answered asked={asked}>
      {({ trades, pagination: { nextCursor } }) => (
        <>
          <TradeTable token={token} trades={trades} />
          <Older cursors={cursors} next={nextCursor} onChange={setCursors} />
        </>
      )}
    </Answered>
  );
}

interface OlderProps {
  readonly cursors: readonly string[];
  readonly next: string | null;
  readonly onChange: (cursors: readonly string[]) => void;
}

function Older({ cursors, next, onChange }: OlderProps) {
  if (cursors.length === 0 && next === null) return null;
  return (
    <nav className="pager" aria-label="Pages of trades">
      <button type="button" disabled={cursors.length === 0} onClick={() => onChange(cursors.slice(0, -1))}>
        ← Newer
      </button>
      <button type="button" disabled={next === null} onClick={() => next !== null && onChange([...cursors, next])}>
        Older →
      </button>
    </nav>
  );
}

function TradeTable({ token, trades }: { readonly token: Token; readonly trades: readonly Trade[] }) {
  if (trades.length === 0) return <p className="empty">No trade yet.</p>;
  const columns = [
    'When',
    'Side',
    { figures: <CreatorText>{token.symbol}</CreatorText> },
    { figures: <CreatorText>{token.quoteSymbol}</CreatorText> },
    { figures: 'Value' },
    { figures: 'Price' },
    'Wallet',
    'Transaction',
  ];
  return (
    <Table label="Trades" columns={columns}>
      {trades.map((trade) => (
        <TradeRow key={`${trade.signature}/${trade.index}`} trade={trade} />
      ))}
    </Table>
  );
}

function TradeRow({ trade }: { readonly trade: Trade }) {
  return (
    <tr>
      <td title={trade.finalized ? 'final' : 'confirmed; a fork could still take it back'}>
        {ago(trade.tradedAt)}
        {!trade.finalized && ' …'}
      </td>
      <td className={trade.side === 'buy' ? 'up' : 'down'}>{trade.side}</td>
      <td className="right">{number(trade.amountTokens)}</td>
      <td className="right">{number(trade.quoteTokens)}</td>
      <td className="right">{usd(trade.valueUsd)}</td>
      <td className="right">{usd(trade.priceUsd)}</td>
      <td>
        <WalletLink wallet={trade.wallet} />
      </td>
      <td>
        <OnChain kind="tx" id={trade.signature} what="transaction" />
      </td>
    </tr>
  );
}
