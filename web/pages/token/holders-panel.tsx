import { api } from '../../api/api.ts';
import { useAnswer } from '../../api/use-answer.ts';
import { count, number, percent } from '../../format/numbers.ts';
import { Answered } from '../../parts/answered.tsx';
import { OnChain } from '../../parts/on-chain.tsx';

const EVERY_MS = 20_000;
const LIMIT = 50;

/** Who holds most, as the chain says. */
export function HoldersPanel({ mint }: { readonly mint: string }) {
  const asked = useAnswer(
    ['holders', mint],
    (signal) => api.ask('GET /tokens/{mint}/holders', { path: { mint }, query: { limit: LIMIT }, signal }),
    { everyMs: EVERY_MS },
  );
  return (
    <Answered asked={asked}>
      {({ holders, total }) => (
        <>
          <p className="hint">{count(total)} owners at this moment, read from the chain.</p>
          <div className="table-scroll" tabIndex={0} role="region" aria-label="Holders">
            <table>
              <thead>
                <tr>
                  <th className="right">#</th>
                  <th>Owner</th>
                  <th>Is</th>
                  <th className="right">Tokens</th>
                  <th className="right">Share</th>
                </tr>
              </thead>
              <tbody>
                {holders.map(({ rank, owner, label, amountTokens, percent: share }) => (
                  <tr key={owner}>
                    <td className="right">{rank}</td>
                    <td>
                      <OnChain kind="address" id={owner} what="owner" letters={6} />
                    </td>
                    <td>{label !== null && <span className="badge quiet">{label}</span>}</td>
                    <td className="right">{number(amountTokens)}</td>
                    <td className="right">{percent(share, 2)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </>
      )}
    </Answered>
  );
}
