import { api } from './api.ts';
import type { Pair } from './types.ts';
import { type Asked, useAnswer } from './use-answer.ts';

const EVERY_MS = 60_000;

export function usePairs(): Asked<readonly Pair[]> {
  const ask = async (signal: AbortSignal) => (await api.ask('GET /pairs', { signal })).pairs;
  return useAnswer(['pairs'], ask, { everyMs: EVERY_MS });
}
