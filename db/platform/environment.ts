import type { Db } from '../connect.ts';

/** The database is of another environment or chain: payments would be mixed up. */
export class EnvironmentMismatchError extends Error {
  constructor(claimed: ClaimedEnvironment, wanted: ClaimedEnvironment) {
    super(
      `this database belongs to environment "${claimed.environment}" on the chain with genesis hash ${claimed.genesisHash}, ` +
        `not to "${wanted.environment}" on ${wanted.genesisHash}`,
    );
    this.name = 'EnvironmentMismatchError';
  }
}

export interface ClaimedEnvironment {
  readonly environment: string;
  readonly genesisHash: string;
}

/**
 * Claims a new database, or confirms the earlier claim; at every start.
 *
 * @throws EnvironmentMismatchError
 */
export async function claimEnvironment(db: Db, wanted: ClaimedEnvironment): Promise<void> {
  const { environment, genesisHash } = wanted;
  await db
    .insertInto('environment')
    .values({ environment, genesisHash })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const own = await claimed(db);
  if (own.environment === environment && own.genesisHash === genesisHash) return;
  throw new EnvironmentMismatchError(own, wanted);
}

/** @throws before the first claim */
export function claimed(db: Db): Promise<ClaimedEnvironment> {
  return db.selectFrom('environment').select(['environment', 'genesisHash']).executeTakeFirstOrThrow();
}
