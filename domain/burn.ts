/**
 * Why tokens were burned: by the fee sweep of their own launch, because revenue bought the platform token back, or because it
 * bought a ranked token.
 */
export type BurnKind = 'sweep' | 'buyback' | 'flywheel';

/** All reasons for a burn. */
export const BURN_KINDS = ['sweep', 'buyback', 'flywheel'] as const satisfies readonly BurnKind[];
