import { createApi } from '../../client/index.ts';
import { API_ROOT } from '../site.ts';

/** The platform's API: everything that pages know of it goes through here. */
export const api = createApi({ url: API_ROOT });
