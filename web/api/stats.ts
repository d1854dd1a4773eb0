import { api } from './api.ts';
import type { Stats } from './types.ts';
import { type Asked, useAnswer } from './use-answer.ts';

const EVERY_MS = 15_000;

export function useStats(): Asked<Stats> {
  return useAnswer(['stats'], (signal) => api.ask('GET /stats', { signal }), { everyMs: EVERY_MS });
}
