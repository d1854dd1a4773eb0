import { sql } from 'kysely';
import Type from 'typebox';
import { Value } from 'typebox/value';
import type { ProvenState } from '../../domain/market/explained.ts';
import type { Db } from '../connect.ts';

/** The final state of a pool by a quorum, and since when the stored swaps are proven complete up to it. */
export interface PoolProof {
  readonly slot: bigint;
  readonly since: Date;
  readonly state: ProvenState;
}

const Integer = Type.String({ pattern: '^-?[0-9]+$' });

const StoredState = Type.Object({
  feeGrowth0X64: Integer,
  feeGrowth1X64: Integer,
  sqrtPriceX64: Integer,
  tick: Type.Integer(),
  liquidity: Integer,
  ticks: Type.Array(Type.Object({ tick: Type.Integer(), liquidityNet: Integer, liquidityGross: Integer })),
});

/** Oldest first. */
export async function ofPool(db: Db, pool: string): Promise<PoolProof[]> {
  const rows = await db.selectFrom('poolProofs').selectAll().where('pool', '=', pool).orderBy('since').execute();
  return rows.map(({ slot, since, state }) => ({ slot, since, state: read(state) }));
}

/** Moves the proof of that time, or adds it. */
export async function save(db: Db, pool: string, { slot, since, state }: PoolProof): Promise<void> {
  const stored = JSON.stringify(state, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
  const row = { slot, state: stored };
  await db
    .insertInto('poolProofs')
    .values({ pool, since, ...row })
    .onConflict((conflict) => conflict.columns(['pool', 'since']).doUpdateSet(row).where('poolProofs.slot', '<=', slot))
    .execute();
}

/** Removes all of the pool but these. */
export async function keep(db: Db, pool: string, proofs: readonly PoolProof[]): Promise<void> {
  const kept = proofs.map(({ since }) => since);
  await db
    .deleteFrom('poolProofs')
    .where('pool', '=', pool)
    .where(sql<boolean>`since <> all(${kept}::timestamptz[])`)
    .execute();
}

function read(state: unknown): ProvenState {
  const { ticks, tick, ...numbers } = Value.Parse(StoredState, state);
  const { feeGrowth0X64, feeGrowth1X64, sqrtPriceX64, liquidity } = numbers;
  return {
    feeGrowth0X64: BigInt(feeGrowth0X64),
    feeGrowth1X64: BigInt(feeGrowth1X64),
    sqrtPriceX64: BigInt(sqrtPriceX64),
    tick,
    liquidity: BigInt(liquidity),
    ticks: ticks.map((one) => ({
      tick: one.tick,
      liquidityNet: BigInt(one.liquidityNet),
      liquidityGross: BigInt(one.liquidityGross),
    })),
  };
}
