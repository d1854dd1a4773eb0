import type { Check } from '../../client/verify/check.ts';

const SIGNS = { proven: '✓', different: '✗', unprovable: '?' } as const;
const WORDS = { proven: 'holds', different: 'differs', unprovable: 'open' } as const;

/** Checks of the client, as a list. */
export function Checks({ label, checks }: { readonly label: string; readonly checks: readonly Check[] }) {
  return (
    <ul className="checks" aria-label={label}>
      {checks.map(({ name, status, how, expected, found }) => (
        <li key={name} className={status}>
          <span aria-hidden="true">{SIGNS[status]}</span>
          <div>
            <strong>
              {name} {WORDS[status]}
            </strong>
            : {how}
            {expected && found && (
              <small>
                Expected {expected.value} ({expected.from}), found {found.value} ({found.from})
              </small>
            )}
          </div>
        </li>
      ))}
    </ul>
  );
}
