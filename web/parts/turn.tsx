import { type ReactNode, useEffect, useState } from 'react';

/** Between two turns the browser paints, and hears whoever types or clicks; ms, one frame. */
const PAUSE_MS = 16;

/** Whose turn comes, the first first. */
const queue = new Set<() => void>();
let isRunning = false;

/** Has something done in a task of its own, after what asked before it; answers what gives the turn up. */
export function takeTurn(work: () => void): () => void {
  queue.add(work);
  if (!isRunning) setTimeout(nextTurn, PAUSE_MS);
  isRunning = true;
  return () => queue.delete(work);
}

function nextTurn(): void {
  const [work] = queue;
  isRunning = work !== undefined;
  if (!work) return;
  queue.delete(work);
  setTimeout(nextTurn, PAUSE_MS);
  work();
}

interface InTurnProps {
  readonly children: ReactNode;
  /** Stands there until its turn; by default nothing, so that what comes before it cannot push it down. */
  readonly waiting?: ReactNode;
}

/** A part of a page that comes up in a task of its own: a phone that draws all parts in one hears nobody meanwhile. */
export function InTurn({ children, waiting = null }: InTurnProps) {
  const [isMine, setMine] = useState(false);
  useEffect(() => takeTurn(() => setMine(true)), []);
  return isMine ? children : waiting;
}
