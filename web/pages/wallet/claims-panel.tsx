import { Link } from 'wouter';
import { api } from '../../api/api.ts';
import { useAnswer } from '../../api/use-answer.ts';
import { usd } from '../../format/numbers.ts';
import { ago } from '../../format/texts.ts';
import { Amount } from '../../parts/amount.tsx';
import { Answered } from '../../parts/answered.tsx';
import { CreatorText } from '../../parts/creator-text.tsx';
import { CursorPager, useCursors } from '../../parts/cursor-pager.tsx';
import { OnChain } from '../../parts/on-chain.tsx';
import { Table } from '../../parts/table.tsx';
import { CsvButton } from './csv-button.tsx';

const EVERY_MS = 10_000;
const LIMIT = 10;

const COLUMNS = ['When', 'Token', { figures: 'Fees' }, { figures: 'And' }, { figures: 'Worth' }, 'Transaction'];

export function ClaimsPanel({ wallet }: { readonly wallet: string }) {
  const cursors = useCursors();
  const query = { limit: LIMIT, ...(cursors.cursor !== undefined && { cursor: cursors.cursor }) };
  const asked = useAnswer(
    ['wallet', wallet, 'claims', query],
    (signal) => api.ask('GET /wallets/{wallet}/claims', { path: { wallet }, query, signal }),
    { everyMs: EVERY_MS, on: { subjects: ['claim'] } },
  );
  return (
    <section className="panel" aria-labelledby="claims-title">
      <div className="panel-head">
        <h2 id="claims-title">Claims</h2>
        {(asked.data?.claims.length ?? 0) > 0 && <CsvButton wallet={wallet} list="claims" label="All claims as CSV" />}
      </div>
      <Answered asked={asked}>
        {({ claims, pagination }) => (
          <>
            {claims.length === 0 ? (
              <p className="empty">Nothing was claimed yet.</p>
            ) : (
              <Table label="Each claim" columns={COLUMNS}>
                {claims.map((claim) => (
                  <tr key={claim.intentId}>
                    <td>{ago(claim.paidAt ?? claim.preparedAt)}</td>
                    <td>
                      <Link href={`/tokens/${claim.mint}`}>
                        <CreatorText>{claim.symbol}</CreatorText>
                      </Link>
                    </td>
                    <td className="right">
                      <Amount tokens={claim.quoteTokens} symbol={claim.quoteSymbol} />
                    </td>
                    <td className="right">
                      <Amount tokens={claim.baseTokens} symbol={claim.symbol} />
                    </td>
                    <td className="right">{usd(claim.valueUsd)}</td>
                    <td>
                      <OnChain kind="tx" id={claim.signature} what="claim" />
                    </td>
                  </tr>
                ))}
              </Table>
            )}
            <CursorPager what="claims" cursors={cursors} next={pagination.nextCursor} />
          </>
        )}
      </Answered>
    </section>
  );
}
