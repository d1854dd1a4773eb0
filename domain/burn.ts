/**
 * Why tokens were burned: by the fee sweep of their own launch, because revenue bought the platform token back, or because it
 * bought a ranked token.
 */
export type BurnKind = 'fee-sweep' | 'buyback' | 'flywheel';

/** All reasons for a burn. */
export const BURN_KINDS = ['fee-sweep', 'buyback', 'flywheel'] as const satisfies readonly BurnKind[];

/**
 * What the public calls the reason of a burn; programs of the field tell burns apart by it. `quote-revenue`, `reward` and
 * `kickstart` are reasons that they know and this platform has not.
 */
export type BurnSource = 'auto' | 'buyback' | 'flywheel' | 'quote-revenue' | 'reward' | 'kickstart';

/** All of them. */
export const BURN_SOURCES = [
  'auto',
  'buyback',
  'flywheel',
  'quote-revenue',
  'reward',
  'kickstart',
] as const satisfies readonly BurnSource[];

const SOURCES: Readonly<Record<BurnKind, BurnSource>> = {
  'fee-sweep': 'auto',
  buyback: 'buyback',
  flywheel: 'flywheel',
};

/** The public name of a burn's reason. */
export function burnSourceOf(kind: BurnKind): BurnSource {
  return SOURCES[kind];
}
