import type { NativeConnection } from '@temporalio/worker';
import { SEARCH_ATTRIBUTES } from '../workflows/search-attributes.ts';

/** Type of all attributes, `INDEXED_VALUE_TYPE_KEYWORD`. */
const KEYWORD = 2;

/**
 * Registers missing attributes. Idempotent; returns the added names. Throws for another type: workflows would fail to
 * set it.
 */
export async function registerSearchAttributes(connection: NativeConnection, namespace: string): Promise<string[]> {
  const known = await connection.operatorService.listSearchAttributes({ namespace });
  const types: Record<string, number | null | undefined> = known.customAttributes;
  const missing = SEARCH_ATTRIBUTES.map(({ name }) => name).filter((name) => {
    if (types[name] === undefined) return true;
    if (types[name] === KEYWORD) return false;
    throw new Error(
      `search attribute ${name} of namespace ${namespace} has type ${types[name]}, expected Keyword (${KEYWORD})`,
    );
  });
  if (missing.length > 0) {
    const searchAttributes = Object.fromEntries(missing.map((name) => [name, KEYWORD]));
    await connection.operatorService.addSearchAttributes({ namespace, searchAttributes });
  }
  return missing;
}
