import { api } from '../../api/api.ts';
import { useAnswer } from '../../api/use-answer.ts';
import { counted, number, percent } from '../../format/numbers.ts';
import { Answered } from '../../parts/answered.tsx';
import { OnChain } from '../../parts/on-chain.tsx';
import { Table } from '../../parts/table.tsx';
import { WalletLink } from '../../parts/wallet-link.tsx';

const EVERY_MS = 20_000;
const LIMIT = 50;

export function HoldersPanel({ mint }: { readonly mint: string }) {
  const asked = useAnswer(
    ['holders', mint],
    (signal) => api.ask('GET /tokens/{mint}/holders', { path: { mint }, query: { limit: LIMIT }, signal }),
    { everyMs: EVERY_MS, on: { subjects: ['trade', 'burn', 'airdrop'] } },
  );
  return (
    <Answered asked={asked}>
      {({ holders, total }) => (
        <>
          <p className="hint">{counted(total, 'owner')} at this moment, read from the chain.</p>
          <Table
            label="Holders"
            columns={[{ figures: '#' }, 'Owner', 'Is', { figures: 'Tokens' }, { figures: 'Share' }]}
          >
            {holders.map(({ rank, owner, label, amountTokens, percent: share }) => (
              <tr key={owner}>
                <td className="right">{rank}</td>
                <td>
                  {label === null ? (
                    <WalletLink wallet={owner} letters={6} />
                  ) : (
                    <OnChain kind="address" id={owner} what="owner" letters={6} />
                  )}
                </td>
                <td>{label !== null && <span className="badge quiet">{label}</span>}</td>
                <td className="right">{number(amountTokens)}</td>
                <td className="right">{percent(share, 2)}</td>
              </tr>
            ))}
          </Table>
        </>
      )}
    </Answered>
  );
}
