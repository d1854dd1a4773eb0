import { patched } from '@temporalio/workflow';

/**
 * Whether a round carries out what is open before it plans anything new, so that what keeps it from planning stops nothing that was
 * begun. Runs that began without it go on as they began.
 */
export const isOpenFirst = (): boolean => patched('open-first');
