import { createApi } from '../../client/index.ts';
import { API_ROOT } from '../site.ts';

/** The browser revalidates: a cached response would be a poll late. */
export const api = createApi({ url: API_ROOT, fetch: (input, init) => fetch(input, { ...init, cache: 'no-cache' }) });
