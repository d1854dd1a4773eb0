/** Clients that launch one token after the other while the drill runs. */
export const CLIENTS = Number(process.env['DRILL_CLIENTS'] ?? 2);

/** How long each release is held under load, in ms. */
export const HOLD_MS = Number(process.env['DRILL_HOLD_SECONDS'] ?? 1) * 1_000;

/** Processes that are ended by `kill -9` under load, one after the other. */
export const KILLED = (process.env['DRILL_KILL'] ?? 'api-2,worker').split(',').filter((part) => part !== '');

/** A planted bug that n+1 has, to see that the drill finds it; empty for none. */
export const PLANTED = process.env['DRILL_PLANT'] ?? '';
