import { createApi } from '../../client/index.ts';
import { API_ROOT } from '../site.ts';

/**
 * The platform's API: everything that pages know of it goes through here. The browser may not answer from what it kept (it
 * would show a trade one poll later): it asks, and mostly hears that nothing changed.
 */
export const api = createApi({ url: API_ROOT, fetch: (input, init) => fetch(input, { ...init, cache: 'no-cache' }) });
