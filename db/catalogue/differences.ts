import type { CommittedCatalogue } from './catalogue-text.ts';
import type { Catalogue, CatalogueEntry, Kind } from './read-catalogue.ts';

export interface Difference {
  /** Kind and name: `column launches.quote_id`. */
  readonly object: string;
  readonly is: 'missing' | 'different' | 'additional';
  /** True if a process of this release could fail, or book wrongly. */
  readonly breaks: boolean;
}

/** Kinds without which, or with another definition of which, a process must not run. */
const BREAKS: Readonly<Record<Kind, (entry: CatalogueEntry) => boolean>> = {
  extension: () => true,
  table: () => true,
  column: () => true,
  view: () => true,
  sequence: () => true,
  constraint: () => true,
  // Any other one makes queries slow, not wrong.
  index: ({ definition }) => definition.startsWith('CREATE UNIQUE INDEX'),
  trigger: () => true,
  function: () => true,
  comment: () => false,
  grant: () => true,
};

/**
 * Compares a live schema with that of this release. An additional object breaks nothing: a newer release or an operator
 * added it. `mayChange`: another definition breaks nothing either.
 */
export function differencesOf(live: Catalogue, committed: CommittedCatalogue, mayChange: boolean): Difference[] {
  const { schema, apiRole } = committed;
  const hasApiRole = [...live.values()].some(({ kind }) => kind === 'grant');
  const expected = hasApiRole ? [...schema, ...apiRole] : [...schema];
  const lacking = expected.flatMap(([object, entry]) => differenceOf(object, entry, live.get(object), mayChange));
  const additional = [...live.keys()].filter((object) => !schema.has(object) && !apiRole.has(object));
  return [...lacking, ...additional.map((object) => ({ object, is: 'additional', breaks: false }) as const)];
}

function differenceOf(
  object: string,
  entry: CatalogueEntry,
  live: CatalogueEntry | undefined,
  mayChange: boolean,
): Difference[] {
  const breaks = BREAKS[entry.kind](entry);
  if (!live) return [{ object, is: 'missing', breaks }];
  if (live.definition.trimEnd() === entry.definition.trimEnd()) return [];
  return [{ object, is: 'different', breaks: breaks && !mayChange }];
}
