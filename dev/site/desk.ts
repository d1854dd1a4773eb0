import { createDesk } from './desk-client.ts';

export const desk = createDesk(new URL('/local', location.origin).href);
