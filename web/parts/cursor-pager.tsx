import { useState } from 'react';

export interface Cursors {
  /** Of the shown page; undefined for the newest. */
  readonly cursor: string | undefined;
  readonly isNewest: boolean;
  readonly newer: () => void;
  readonly older: (next: string) => void;
}

/** New rows do not shift older pages. */
export function useCursors(): Cursors {
  const [cursors, setCursors] = useState<readonly string[]>([]);
  return {
    cursor: cursors.at(-1),
    isNewest: cursors.length === 0,
    newer: () => setCursors((before) => before.slice(0, -1)),
    older: (next) => setCursors((before) => [...before, next]),
  };
}

interface CursorPagerProps {
  /** The rows, as `trades`. */
  readonly what: string;
  readonly cursors: Cursors;
  /** Null on the oldest page. */
  readonly next: string | null;
}

export function CursorPager({ what, cursors: { isNewest, newer, older }, next }: CursorPagerProps) {
  if (isNewest && next === null) return null;
  return (
    <nav className="pager" aria-label={`Pages of ${what}`}>
      <button type="button" disabled={isNewest} onClick={newer}>
        ← Newer
      </button>
      <button type="button" disabled={next === null} onClick={() => next !== null && older(next)}>
        Older →
      </button>
    </nav>
  );
}
