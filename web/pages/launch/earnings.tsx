import { type Earnings, earningsOf } from '../../../client/index.ts';
import { usd } from '../../format/numbers.ts';
import { allChoices } from '../../parts/segments.tsx';
import { type Draft, feesOf, TIER_NAMES } from './draft.ts';

/** Volume that the table divides, USD. */
const VOLUME_USD = 10_000;

const KINDS: readonly (readonly [title: string, choice: Pick<Draft, 'mode' | 'feeTier'>])[] = [
  ...allChoices(TIER_NAMES).map(([feeTier, name]) => [`Standard, ${name}`, { mode: 'standard', feeTier }] as const),
  ['Reward', { mode: 'reward', feeTier: '1%' }],
];

const EARNERS: readonly (readonly [who: keyof Earnings, name: string])[] = [
  ['creator', 'You'],
  ['holders', 'Holders of the token'],
  ['platform', 'The platform'],
  ['exchange', 'The exchange'],
];

/** Shows what each kind of launch pays to whom, with the chosen one marked. */
export function EarningsTable({ draft }: { readonly draft: Draft }) {
  const kinds = KINDS.map(([title, choice]) => ({
    title,
    earned: earningsOf({ mode: choice.mode, ...feesOf({ ...draft, ...choice }) }),
    isChosen: choice.mode === draft.mode && (choice.mode === 'reward' || choice.feeTier === draft.feeTier),
  }));
  return (
    <div className="form-field">
      <table className="earnings">
        <caption>Of {usd(VOLUME_USD)} that is traded</caption>
        <thead>
          <tr>
            <td />
            {kinds.map(({ title, isChosen }) => (
              <th key={title} scope="col" className={isChosen ? 'right chosen' : 'right'}>
                {title}
                {isChosen && <span className="sr-only"> (chosen)</span>}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {EARNERS.map(([who, name]) => (
            <tr key={who}>
              <th scope="row">{name}</th>
              {kinds.map(({ title, earned, isChosen }) => (
                <td key={title} className={isChosen ? 'right chosen' : 'right'}>
                  {shareOf(earned[who])}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <p className="rule">
        Fees are earned in both tokens of the pair; the amounts are what they are worth. Holders of a reward coin are
        paid in the paired token.
      </p>
    </div>
  );
}

function shareOf(millionths: number): string {
  return millionths === 0 ? '–' : usd((millionths * VOLUME_USD) / 1_000_000);
}
