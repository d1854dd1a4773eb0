import { useState } from 'react';
import { Link } from 'wouter';
import { api } from '../../api/api.ts';
import { useAnswer } from '../../api/use-answer.ts';
import { ago } from '../../format/texts.ts';
import { Answered } from '../../parts/answered.tsx';
import { CreatorText } from '../../parts/creator-text.tsx';
import { Pager } from '../../parts/pager.tsx';
import { Table } from '../../parts/table.tsx';

const EVERY_MS = 15_000;
const PAGE_SIZE = 10;

export function LaunchesPanel({ wallet }: { readonly wallet: string }) {
  const [page, setPage] = useState(1);
  const query = { creator: wallet, page, pageSize: PAGE_SIZE };
  const asked = useAnswer(['launches', query], (signal) => api.ask('GET /launches', { query, signal }), {
    everyMs: EVERY_MS,
    on: { subjects: ['launch', 'token'] },
  });
  return (
    <section className="panel" aria-labelledby="launches-title">
      <h2 id="launches-title">Launches</h2>
      <Answered asked={asked}>
        {({ launches, pagination }) => (
          <>
            {launches.length === 0 ? (
              <p className="empty">Nothing was launched with this wallet yet.</p>
            ) : (
              <Table label="Each launch" columns={['When', 'Token', 'Kind', 'Paired with']}>
                {launches.map(({ mint, createdAt, name, symbol, mode, quoteSymbol }) => (
                  <tr key={mint}>
                    <td>{ago(createdAt)}</td>
                    <td>
                      <Link href={`/tokens/${mint}`}>
                        <CreatorText>{name}</CreatorText>
                      </Link>{' '}
                      <CreatorText>{symbol}</CreatorText>
                    </td>
                    <td>{mode}</td>
                    <td>
                      <CreatorText>{quoteSymbol}</CreatorText>
                    </td>
                  </tr>
                ))}
              </Table>
            )}
            <Pager pagination={pagination} onPage={setPage} />
          </>
        )}
      </Answered>
    </section>
  );
}
