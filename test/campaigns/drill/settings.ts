import { BETWEEN } from './between.ts';

/** The server of the database: what follows its loss is the failover to its standby. */
export const PRIMARY = 'primary';

/** Clients that launch one token after the other while the drill runs. */
export const CLIENTS = Number(process.env['DRILL_CLIENTS'] ?? 2);

/** How long each release is held under load, in ms. */
export const HOLD_MS = Number(process.env['DRILL_HOLD_SECONDS'] ?? 1) * 1_000;

/** What is killed where nothing else is asked for: one of each kind that runs. */
export const DEFAULT_KILLED = ['api-2', 'worker', ...BETWEEN, PRIMARY].join(',');

/** Processes that are ended by `kill -9` under load, one after the other. */
export const KILLED = (process.env['DRILL_KILL'] ?? DEFAULT_KILLED).split(',').filter((part) => part !== '');

/** A planted bug that n+1 has, to see that the drill finds it; empty for none. */
export const PLANTED = process.env['DRILL_PLANT'] ?? '';

/** Whether n+1 has another task queue in the place of one of n: takes one away, and adds one. */
export const MOVES_QUEUE = process.env['DRILL_MOVE_QUEUE'] === '1';
