import { useSearchParams } from 'wouter';
import { api } from '../../api/api.ts';
import { useAnswer } from '../../api/use-answer.ts';
import { Answered } from '../../parts/answered.tsx';
import { Pager } from '../../parts/pager.tsx';
import { useTitle } from '../../parts/use-title.ts';
import { CardsWaiting, TokenCard } from './token-card.tsx';
import { Filters } from './filters.tsx';
import { filterOf, withFilter } from './filter.ts';
import { Hero } from './hero.tsx';

const EVERY_MS = 5_000;

export function ExplorePage() {
  useTitle('Explore');
  const [search, setSearch] = useSearchParams();
  const filter = filterOf(search);
  const tokens = useAnswer(['tokens', filter], (signal) => api.ask('GET /tokens', { query: filter, signal }), {
    everyMs: EVERY_MS,
  });
  const change = (changed: Readonly<Record<string, string>>) => {
    setSearch((before) => withFilter(before, changed), { replace: true });
  };
  return (
    <>
      <Hero />
      <section aria-labelledby="tokens-title">
        <h2 id="tokens-title" className="sr-only">
          Tokens
        </h2>
        <Filters filter={filter} onChange={change} />
        <Answered asked={tokens} waiting={<CardsWaiting />}>
          {({ tokens: found, pagination }) => (
            <>
              {found.length === 0 && <p className="empty">No token fits. Clear the search, or launch the first one.</p>}
              <ul className="cards">
                {found.map((token) => (
                  <TokenCard key={token.mint} token={token} />
                ))}
              </ul>
              <Pager pagination={pagination} onPage={(page) => change({ page: String(page) })} />
            </>
          )}
        </Answered>
      </section>
    </>
  );
}
