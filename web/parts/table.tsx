import type { ReactNode } from 'react';

/** Head of a column: what it is called; `figures` are set right, so that they can be compared. */
export type Column = ReactNode | { readonly figures: ReactNode };

interface TableProps {
  /** What the table is, for those who do not see it. */
  readonly label: string;
  readonly columns: readonly Column[];
  /** Its rows. */
  readonly children: ReactNode;
}

/** A table that is moved sideways within its own frame, by keyboard too, where the window is narrower. */
export function Table({ label, columns, children }: TableProps) {
  return (
    <div className="table-scroll" tabIndex={0} role="region" aria-label={label}>
      <table>
        <thead>
          <tr>
            {columns.map((column, place) =>
              isOfFigures(column) ? (
                <th key={place} className="right">
                  {column.figures}
                </th>
              ) : (
                <th key={place}>{column}</th>
              ),
            )}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}

function isOfFigures(column: Column): column is { readonly figures: ReactNode } {
  return typeof column === 'object' && column !== null && 'figures' in column;
}
