import { DESK_ROOT } from '../site.ts';
import { createDesk } from './desk-client.ts';

/** The desk of this site; null where there is none, which is everywhere but on a stack of one's own. */
export const desk = DESK_ROOT === null ? null : createDesk(DESK_ROOT);
