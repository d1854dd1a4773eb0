import { useState } from 'react';
import { api } from '../../../api/api.ts';
import { growingPages, PAGES_AT_ONCE } from '../../../api/growing-pages.ts';
import type { Token } from '../../../api/types.ts';
import { isNotFound, useAnswer } from '../../../api/use-answer.ts';
import { verifyStatementCommand } from '../../../format/commands.ts';
import { Answered } from '../../../parts/answered.tsx';
import { Command } from '../../../parts/command.tsx';
import { OnChain } from '../../../parts/on-chain.tsx';
import { Statement } from '../../../parts/statement.tsx';

const EVERY_MS = 60_000;

/** Where the money of the pot came from, and where it went. */
export function PotStatement({ token }: { readonly token: Token }) {
  const { mint, symbol, decimals } = token;
  const [most, setMost] = useState(PAGES_AT_ONCE);
  const [read] = useState(() =>
    growingPages((query, signal) => api.ask('GET /tokens/{mint}/rewards/statement', { path: { mint }, query, signal })),
  );
  const asked = useAnswer(['pot-statement', mint, most], (signal) => read(most, signal), { everyMs: EVERY_MS });
  return (
    <section aria-labelledby="pot-title">
      <h3 id="pot-title">Statement of the pot</h3>
      {isNotFound(asked.error) ? (
        <p className="empty">The pot is in use from the first round on.</p>
      ) : (
        <Answered asked={asked}>
          {(pages) =>
            pages[0] && (
              <>
                <p className="hint">
                  All that came into <OnChain kind="address" id={pages[0].pot} what="pot" letters={6} />, which holds
                  the rewards of this coin alone, and all that left.
                </p>
                <Statement
                  label="The statement"
                  pages={pages}
                  falls={[
                    { side: 'base', symbol, decimals },
                    { side: 'quote', ...pages[0].quote },
                  ]}
                  onMore={() => setMost(most + PAGES_AT_ONCE)}
                />
              </>
            )
          }
        </Answered>
      )}
      <Command text={verifyStatementCommand(mint, api.url)} />
    </section>
  );
}
