import { useCallback, useEffect, useState } from 'react';
import { type Draft, EMPTY_DRAFT } from './draft.ts';

/** Outlives the page: who looks at something else and comes back finds the form as it was. A logo is too large for the address. */
let kept = EMPTY_DRAFT;

/** What is filled in. */
export function useDraft() {
  const [draft, setDraft] = useState(kept);
  useEffect(() => {
    kept = draft;
  }, [draft]);
  // A logo is read while somebody types on.
  const change = useCallback((changed: Partial<Draft>) => setDraft((before) => ({ ...before, ...changed })), []);
  const startOver = useCallback(() => setDraft(EMPTY_DRAFT), []);
  return { draft, change, startOver };
}
