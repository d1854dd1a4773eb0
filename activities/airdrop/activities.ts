import * as airdrops from '../../db/airdrop/airdrops.ts';
import type { Db } from '../../db/connect.ts';
import { deliver } from './deliver.ts';
import type { AirdropDeps } from './deps.ts';
import { readLaunch } from '../launch/facts.ts';

export type { AirdropDeps, AirdropSettings } from './deps.ts';

export type AirdropActivities = ReturnType<typeof createAirdropActivities>;

/** Public: they stay in Temporal's history. */
export interface AirdropFacts {
  readonly mint: string;
  readonly symbol: string;
  readonly recipients: number;
  readonly deliveredRecipients: number;
  readonly batches: number;
  readonly deliveredBatches: number;
  readonly isDelivered: boolean;
}

const BEAT_EVERY_MS = 2_000;

export function createAirdropActivities(deps: AirdropDeps) {
  return {
    openAirdrop: (quoteId: string): Promise<AirdropFacts> => readFacts(deps.db, quoteId),

    /** Idempotent. */
    async deliverAirdrop(quoteId: string): Promise<AirdropFacts> {
      const facts = await readFacts(deps.db, quoteId);
      if (facts.isDelivered) return facts;
      const launch = await readLaunch(deps.db, quoteId);
      const fields = { quoteId, mint: launch.mint, workflowId: `airdrop-${quoteId}` };
      const beat = setInterval(deps.heartbeat, BEAT_EVERY_MS);
      try {
        await deliver({ ...deps, logger: deps.logger.child(fields) }, launch);
      } finally {
        clearInterval(beat);
      }
      return readFacts(deps.db, quoteId);
    },
  };
}

async function readFacts(db: Db, quoteId: string): Promise<AirdropFacts> {
  const [airdrop, { mint, symbol }, progress] = await Promise.all([
    airdrops.byQuoteId(db, quoteId),
    readLaunch(db, quoteId),
    airdrops.progressOf(db, quoteId),
  ]);
  if (!airdrop) throw new Error(`launch ${quoteId} has no airdrop in the database`);
  const { recipients, deliveredRecipients, batches, deliveredBatches } = progress;
  return {
    mint,
    symbol,
    recipients,
    deliveredRecipients,
    batches,
    deliveredBatches,
    isDelivered: airdrop.deliveredAt !== null,
  };
}
