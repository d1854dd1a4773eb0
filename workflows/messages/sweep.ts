/** Registered name of the sweep's workflow, and id of its schedule. */
export const SWEEP_WORKFLOW = 'sweep';
