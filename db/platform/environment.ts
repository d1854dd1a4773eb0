import type { Db } from '../connect.ts';

/** The database belongs to another environment or chain; using it would mix up what was paid where. */
export class EnvironmentMismatchError extends Error {
  constructor(claimed: ClaimedEnvironment, wanted: ClaimedEnvironment) {
    super(
      `this database belongs to environment "${claimed.environment}" on the chain with genesis hash ${claimed.genesisHash}, ` +
        `not to "${wanted.environment}" on ${wanted.genesisHash}`,
    );
    this.name = 'EnvironmentMismatchError';
  }
}

/** Which environment and chain a database belongs to. */
export interface ClaimedEnvironment {
  readonly environment: string;
  readonly genesisHash: string;
}

/**
 * Claims a fresh database for this environment and chain, or confirms the claim that was made before. Every process calls
 * it at start-up. Throws an EnvironmentMismatchError when the database belongs elsewhere.
 */
export async function claimEnvironment(db: Db, wanted: ClaimedEnvironment): Promise<void> {
  const { environment, genesisHash } = wanted;
  await db
    .insertInto('environment')
    .values({ environment, genesisHash })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const claimed = await db.selectFrom('environment').select(['environment', 'genesisHash']).executeTakeFirstOrThrow();
  if (claimed.environment === environment && claimed.genesisHash === genesisHash) return;
  throw new EnvironmentMismatchError(claimed, wanted);
}
