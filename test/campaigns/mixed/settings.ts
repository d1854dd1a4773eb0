import { askedFaults } from './faults/index.ts';

/** How long everybody plays, in ms. */
export const PLAY_MS = Number(process.env['MIXED_SECONDS'] ?? 30) * 1_000;

/** Ends the play once so many launches were followed to their end; 0: by time alone. */
export const LAUNCHES = Number(process.env['MIXED_LAUNCHES'] ?? 0);

/** Creators who launch one token after the other, at the same time. */
export const CREATORS = Number(process.env['MIXED_CREATORS'] ?? 12);

/** Readers of each tap of the event log: pages, stream, webhook. */
export const READERS = Number(process.env['MIXED_READERS'] ?? 2);

/** Where choices come from: what is launched, who strikes and when. What happens at the same time is not chosen. */
export const SEED = Number(process.env['MIXED_SEED'] ?? 1);

/** Names of faults that must strike, or all of them; default none: half a minute is short. */
export const FAULTS = askedFaults(process.env['MIXED_FAULTS'] ?? '');

/** Length of the windows in which reward rounds observe balances, in slots: as short as that of a local stack. */
export const WINDOW_SLOTS = 9;
