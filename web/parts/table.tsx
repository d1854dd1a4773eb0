import type { ReactNode } from 'react';

export type Column = ReactNode | { readonly figures: ReactNode };

interface TableProps {
  readonly label: string;
  readonly columns: readonly Column[];
  readonly children: ReactNode;
}

/** Scrolls in its frame, also by keyboard. */
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
