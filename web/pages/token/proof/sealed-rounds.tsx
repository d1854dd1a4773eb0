import { useState } from 'react';
import { api } from '../../../api/api.ts';
import type { Token } from '../../../api/types.ts';
import { useAnswer } from '../../../api/use-answer.ts';
import { count } from '../../../format/numbers.ts';
import { Amount } from '../../../parts/amount.tsx';
import { Answered } from '../../../parts/answered.tsx';
import { OnChain } from '../../../parts/on-chain.tsx';
import { Pager } from '../../../parts/pager.tsx';
import { Table } from '../../../parts/table.tsx';
import { documentUrl } from '../../../proof/document-url.ts';
import { addressOfRoot } from '../../../proof/root-address.ts';
import { CheckWallet } from './check-wallet.tsx';
import { hasSeal, type Round, type Seal } from './round.ts';

const EVERY_MS = 30_000;
const PAGE_SIZE = 10;

const UNSEALED: Readonly<Record<Round['state'], string>> = {
  collecting: 'not sealed yet',
  selling: 'not sealed yet',
  sealing: 'not sealed yet',
  paying: 'not sealed yet',
  done: 'none: nothing was paid',
};

export function SealedRounds({ token }: { readonly token: Token }) {
  const { mint } = token;
  const [page, setPage] = useState(1);
  const asked = useAnswer(
    ['sealed-rounds', mint, page],
    (signal) =>
      api.ask('GET /tokens/{mint}/rewards/rounds', { path: { mint }, query: { page, pageSize: PAGE_SIZE }, signal }),
    { everyMs: EVERY_MS },
  );
  return (
    <Answered asked={asked}>
      {({ rounds, quote, pagination }) => (
        <>
          <section aria-labelledby="rounds-title">
            <h3 id="rounds-title">Rounds and their seals</h3>
            <Rounds rounds={rounds} quoteSymbol={quote.symbol} />
            <Pager pagination={pagination} onPage={setPage} />
          </section>
          <CheckWallet token={token} quote={quote} rounds={rounds.filter(hasSeal)} />
        </>
      )}
    </Answered>
  );
}

function Rounds({ rounds, quoteSymbol }: { readonly rounds: readonly Round[]; readonly quoteSymbol: string }) {
  if (rounds.length === 0) return <p className="empty">No round yet.</p>;
  return (
    <Table label="Rounds" columns={[{ figures: '#' }, 'Root', 'Seal', { figures: 'Paid' }, 'Document']}>
      {rounds.map(({ number, state, seal, paidTokens }) => (
        <tr key={number}>
          <td className="right">{number}</td>
          {seal ? <SealCells seal={seal} /> : <td colSpan={2}>{UNSEALED[state]}</td>}
          <td className="right">
            <Amount tokens={paidTokens} symbol={quoteSymbol} />
          </td>
          <td>{seal && <DocumentLink seal={seal} />}</td>
        </tr>
      ))}
    </Table>
  );
}

function SealCells({ seal: { root, signature, slot } }: { readonly seal: Seal }) {
  return (
    <>
      <td>
        <OnChain kind="address" id={addressOfRoot(root)} what="root as an address" />
      </td>
      <td>
        <OnChain kind="tx" id={signature} what="seal" /> <small>slot {slot}</small>
      </td>
    </>
  );
}

function DocumentLink({ seal: { root, rowCount } }: { readonly seal: Seal }) {
  return (
    <a href={documentUrl(root)} target="_blank" rel="noreferrer noopener">
      {count(rowCount)} rows
    </a>
  );
}
