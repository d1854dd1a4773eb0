/** Registered name of the sweep of the platform's fees. */
export const FEE_SWEEP_WORKFLOW = 'feeSweep';

/** Id of its schedule. */
export const FEE_SWEEP_SCHEDULE = 'fee-sweep';
