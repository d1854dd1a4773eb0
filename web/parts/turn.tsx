import { type ReactNode, useEffect, useState } from 'react';

/** One frame, for painting and input. */
const PAUSE_MS = 16;

/** First in, first out. */
const queue = new Set<() => void>();
let isRunning = false;

/** A task of its own; returns a cancel function. */
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
  /** Default: nothing. */
  readonly waiting?: ReactNode;
}

/** One task for all would block a phone's input. */
export function InTurn({ children, waiting = null }: InTurnProps) {
  const [isMine, setMine] = useState(false);
  useEffect(() => takeTurn(() => setMine(true)), []);
  return isMine ? children : waiting;
}
