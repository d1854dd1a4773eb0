/** Registered name of the janitor's workflow, and id of its schedule. */
export const JANITOR_WORKFLOW = 'janitor';
