import { Link } from 'wouter';
import { api } from '../../api/api.ts';
import type { Token } from '../../api/types.ts';
import { useAnswer } from '../../api/use-answer.ts';
import { number, usd } from '../../format/numbers.ts';
import { isolated } from '../../format/texts.ts';
import { Answered } from '../../parts/answered.tsx';
import { Figure, Figures } from '../../parts/figure.tsx';
import { OnChain } from '../../parts/on-chain.tsx';

const EVERY_MS = 10_000;

export function FeesPanel({ token }: { readonly token: Token }) {
  const { mint } = token;
  const asked = useAnswer(['fees', mint], (signal) => api.ask('GET /tokens/{mint}/fees', { path: { mint }, signal }), {
    everyMs: EVERY_MS,
    on: { subjects: ['trade', 'claim'] },
  });
  return (
    <section className="panel" aria-labelledby="fees-title">
      <h2 id="fees-title">Creator fees</h2>
      <Answered asked={asked}>
        {({ claimable, reason, feeKey }) => (
          <>
            {claimable === null ? (
              <p>{reason}</p>
            ) : (
              <Figures>
                {[claimable.quote, claimable.base].map(({ mint: of, symbol, amountTokens, amountUsd }) => (
                  <Figure key={of} name={`Claimable ${isolated(symbol)}`}>
                    {number(amountTokens)} <small className="quiet-text">{usd(amountUsd)}</small>
                  </Figure>
                ))}
              </Figures>
            )}
            {feeKey?.holder && (
              <p className="hint">
                Goes to the holder of the Fee Key:{' '}
                <OnChain kind="address" id={feeKey.holder} what="holder of the Fee Key" />.{' '}
                <Link href={`/creator/${token.creator}`}>Claim</Link>
              </p>
            )}
          </>
        )}
      </Answered>
    </section>
  );
}
