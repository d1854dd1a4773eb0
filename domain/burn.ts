export type BurnKind = 'fee-sweep' | 'buyback' | 'flywheel';

export const BURN_KINDS = ['fee-sweep', 'buyback', 'flywheel'] as const satisfies readonly BurnKind[];

/** Burn sources as programs of the field know them. No `quote-revenue`, `reward` or `kickstart` here. */
export type BurnSource = 'auto' | 'buyback' | 'flywheel' | 'quote-revenue' | 'reward' | 'kickstart';

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

export function burnSourceOf(kind: BurnKind): BurnSource {
  return SOURCES[kind];
}
