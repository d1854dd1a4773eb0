import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { feeModelOf } from '../../domain/fee-models.ts';
import { FEE_TIERS, LAUNCH_MODES, REWARD_TAXES_BPS } from '../../domain/token-facts.ts';
import { useDatabase } from '../support/db/use-database.ts';

const { db } = useDatabase();

/** Texts and numbers that a check of the database compares `column` with. */
async function allowed(constraint: string, column: string): Promise<string[]> {
  const { rows } = await sql<{ definition: string }>`
    select pg_get_constraintdef(oid) as definition from pg_constraint where conname = ${constraint}`.execute(db());
  const definition = rows[0]?.definition ?? '';
  const lists = [...definition.matchAll(new RegExp(`\\(${column} = (?:ANY \\(ARRAY\\[(.*?)\\]\\)|([^)]*))\\)`, 'g'))];
  const values = lists.flatMap(([, many, one]) => (many ?? one ?? '').split(', '));
  return [...new Set(values.map((value) => value.replace(/::\w+/g, '').replaceAll("'", '')))].sort();
}

const sorted = (values: readonly (string | number)[]) => values.map(String).sort();

it.each<[string, string, readonly (string | number)[]]>([
  ['tokens_fee', 'fee_tier', FEE_TIERS],
  ['tokens_fee', 'mode', LAUNCH_MODES],
  ['tokens_fee', 'reward_tax_bps', REWARD_TAXES_BPS],
  ['launches_mode', 'mode', LAUNCH_MODES],
  [
    'tokens_pool_fee_percent',
    'pool_fee_percent',
    FEE_TIERS.map((feeTier) => feeModelOf({ mode: 'standard', feeTier }).poolFeePercent),
  ],
])(
  'the check %s of %s allows every variant that the code knows, and no other',
  async (constraint, column, variants) => {
    expect(await allowed(constraint, column)).toEqual(sorted(variants));
  },
);
