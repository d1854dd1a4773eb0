import { useState } from 'react';
import { api } from '../../api/api.ts';
import { growingPages, PAGES_AT_ONCE } from '../../api/growing-pages.ts';
import { usePairs } from '../../api/pairs.ts';
import type { Pair } from '../../api/types.ts';
import { useAnswer } from '../../api/use-answer.ts';
import { verifyBudgetCommand } from '../../format/commands.ts';
import { Answered } from '../../parts/answered.tsx';
import { Command, CommandHint } from '../../parts/command.tsx';
import { type Choice, Segments } from '../../parts/segments.tsx';
import { Statement } from '../../parts/statement.tsx';

const EVERY_MS = 60_000;

type Budget = 'buyback' | 'flywheel';

const BUDGETS: readonly Choice<Budget>[] = [
  ['buyback', 'Buyback'],
  ['flywheel', 'Flywheel'],
];

/** The part of the revenue that is set aside for purchases. */
export function Budgets() {
  const [budget, setBudget] = useState<Budget>('buyback');
  const [chosen, setChosen] = useState<string | null>(null);
  const asked = usePairs();
  return (
    <section className="panel" aria-labelledby="budgets-title">
      <h2 id="budgets-title">Cover of the budgets</h2>
      <p className="hint">
        A share of each harvest is set aside to buy tokens that are then burned. What is held here has to lie in the
        treasury: the command compares it with the chain.
      </p>
      <Segments label="Budget" choices={BUDGETS} value={budget} onChange={setBudget} />
      <Answered asked={asked}>
        {(pairs) => {
          const pair = pairs.find(({ mint }) => mint === chosen) ?? pairs[0];
          return (
            pair && (
              <>
                <PairChoice pairs={pairs} value={pair.mint} onChange={setChosen} />
                <BudgetStatement key={`${budget}/${pair.mint}`} budget={budget} pair={pair} />
              </>
            )
          );
        }}
      </Answered>
      <CommandHint />
    </section>
  );
}

interface PairChoiceProps {
  readonly pairs: readonly Pair[];
  readonly value: string;
  readonly onChange: (mint: string) => void;
}

function PairChoice({ pairs, value, onChange }: PairChoiceProps) {
  return (
    <label className="field">
      <span>Quote token</span>
      <select value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        {pairs.map(({ mint, symbol }) => (
          <option key={mint} value={mint}>
            {symbol}
          </option>
        ))}
      </select>
    </label>
  );
}

function BudgetStatement({ budget, pair }: { readonly budget: Budget; readonly pair: Pair }) {
  const { mint: quoteMint, symbol, decimals } = pair;
  const [most, setMost] = useState(PAGES_AT_ONCE);
  const [read] = useState(() =>
    growingPages((query, signal) =>
      api.ask('GET /platform/statement', { query: { ...query, quoteMint, budget }, signal }),
    ),
  );
  const asked = useAnswer(['budget', budget, quoteMint, most], (signal) => read(most, signal), { everyMs: EVERY_MS });
  return (
    <>
      <Answered asked={asked}>
        {(pages) => (
          <Statement
            label="The budget"
            pages={pages}
            falls={[{ side: 'quote', symbol, decimals }]}
            onMore={() => setMost(most + PAGES_AT_ONCE)}
          />
        )}
      </Answered>
      <Command text={verifyBudgetCommand(quoteMint, budget, api.url)} />
    </>
  );
}
