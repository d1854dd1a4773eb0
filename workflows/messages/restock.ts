/** Registered name of the restock workflow, and id of its schedule. */
export const RESTOCK_WORKFLOW = 'restock';
