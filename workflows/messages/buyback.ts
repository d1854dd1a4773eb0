/** Registered name of a round of purchases with revenue. */
export const BUYBACK_WORKFLOW = 'buyback';

/** Id of its schedule. */
export const BUYBACK_SCHEDULE = 'buyback';
