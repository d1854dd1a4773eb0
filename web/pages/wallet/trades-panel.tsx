import { Link } from 'wouter';
import { api } from '../../api/api.ts';
import { useAnswer } from '../../api/use-answer.ts';
import { usd } from '../../format/numbers.ts';
import { ago } from '../../format/texts.ts';
import { Amount } from '../../parts/amount.tsx';
import { Answered } from '../../parts/answered.tsx';
import { CursorPager, useCursors } from '../../parts/cursor-pager.tsx';
import { OnChain } from '../../parts/on-chain.tsx';
import { Table } from '../../parts/table.tsx';

const EVERY_MS = 10_000;
const LIMIT = 10;

const COLUMNS = ['When', 'Side', { figures: 'Tokens' }, { figures: 'For' }, { figures: 'Value' }, 'Transaction'];

export function TradesPanel({ wallet }: { readonly wallet: string }) {
  const cursors = useCursors();
  const query = { limit: LIMIT, ...(cursors.cursor !== undefined && { cursor: cursors.cursor }) };
  const asked = useAnswer(
    ['wallet', wallet, 'trades', query],
    (signal) => api.ask('GET /wallets/{wallet}/trades', { path: { wallet }, query, signal }),
    { everyMs: EVERY_MS, on: { subjects: ['trade'] } },
  );
  return (
    <section className="panel" aria-labelledby="trades-title">
      <h2 id="trades-title">Trades</h2>
      <Answered asked={asked}>
        {({ trades, pagination }) => (
          <>
            {trades.length === 0 ? (
              <p className="empty">No trade yet.</p>
            ) : (
              <Table label="Each trade" columns={COLUMNS}>
                {trades.map((trade) => (
                  <tr key={`${trade.signature}/${trade.index}`}>
                    <td>{ago(trade.tradedAt)}</td>
                    <td className={trade.side === 'buy' ? 'up' : 'down'}>{trade.side}</td>
                    <td className="right">
                      <Link href={`/tokens/${trade.mint}`}>
                        <Amount tokens={trade.amountTokens} symbol={trade.symbol} />
                      </Link>
                    </td>
                    <td className="right">
                      <Amount tokens={trade.quoteTokens} symbol={trade.quoteSymbol} />
                    </td>
                    <td className="right">{usd(trade.valueUsd)}</td>
                    <td>
                      <OnChain kind="tx" id={trade.signature} what="trade" />
                    </td>
                  </tr>
                ))}
              </Table>
            )}
            <CursorPager what="trades" cursors={cursors} next={pagination.nextCursor} />
          </>
        )}
      </Answered>
    </section>
  );
}
