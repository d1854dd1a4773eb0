import { useCallback, useEffect, useState } from 'react';
import { type Draft, EMPTY_DRAFT } from './draft.ts';

/** Survives page changes; a logo is too large for the URL. */
let kept = EMPTY_DRAFT;

export function useDraft() {
  const [draft, setDraft] = useState(kept);
  useEffect(() => {
    kept = draft;
  }, [draft]);
  // A logo may finish loading while the user types.
  const change = useCallback((changed: Partial<Draft>) => setDraft((before) => ({ ...before, ...changed })), []);
  const startOver = useCallback(() => setDraft(EMPTY_DRAFT), []);
  return { draft, change, startOver };
}
