import { api } from '../../api/api.ts';
import { useAnswer } from '../../api/use-answer.ts';
import type { Answer } from '../../../client/index.ts';
import { count, number, percent, usd } from '../../format/numbers.ts';
import { ago } from '../../format/texts.ts';
import { Answered } from '../../parts/answered.tsx';
import { Figure, Figures } from '../../parts/figure.tsx';
import { OnChain } from '../../parts/on-chain.tsx';
import { Table } from '../../parts/table.tsx';

const EVERY_MS = 20_000;
const LIMIT = 50;

export function BurnsPanel({ mint }: { readonly mint: string }) {
  const asked = useAnswer(
    ['burns', mint],
    (signal) => api.ask('GET /tokens/{mint}/burns', { path: { mint }, query: { limit: LIMIT }, signal }),
    { everyMs: EVERY_MS, on: { subjects: ['burn'] } },
  );
  return (
    <Answered asked={asked}>
      {({ totals, burns }) => (
        <>
          <Figures>
            <Figure name="Burned">{number(totals.amountTokens)}</Figure>
            <Figure name="Of the supply">{percent(totals.percentOfSupply, 3)}</Figure>
            <Figure name="Worth then">{usd(totals.valueUsdAtBurn)}</Figure>
            <Figure name="Burns">{count(totals.burnCount)}</Figure>
          </Figures>
          {burns.length === 0 ? <p className="empty">Nothing was burned yet.</p> : <BurnTable burns={burns} />}
        </>
      )}
    </Answered>
  );
}

function BurnTable({ burns }: { readonly burns: Answer<'GET /tokens/{mint}/burns'>['burns'] }) {
  return (
    <Table label="Burns" columns={['When', 'Why', { figures: 'Tokens' }, { figures: 'Worth then' }, 'Transaction']}>
      {burns.map(({ signature, burnedAt, source, amountTokens, valueUsdAtBurn }) => (
        <tr key={signature}>
          <td>{ago(burnedAt)}</td>
          <td>{source}</td>
          <td className="right">{number(amountTokens)}</td>
          <td className="right">{usd(valueUsdAtBurn)}</td>
          <td>
            <OnChain kind="tx" id={signature} what="transaction" />
          </td>
        </tr>
      ))}
    </Table>
  );
}
