import type { Selectable } from 'kysely';
import { type LaunchTerms, parseLaunchTerms } from '../../domain/launch/terms.ts';
import type { LaunchTable } from '../schema/launch.ts';

/** A launch with parsed terms. */
export type LaunchRecord = Omit<Selectable<LaunchTable>, 'terms'> & { readonly terms: LaunchTerms };

/** @throws with the quote id when the terms do not match the schema */
export function toLaunchRecord(row: Selectable<LaunchTable>): LaunchRecord {
  try {
    return { ...row, terms: parseLaunchTerms(row.terms) };
  } catch (error) {
    throw new Error(`launch ${row.quoteId} cannot be read from the database`, { cause: error });
  }
}
