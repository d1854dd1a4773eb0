import { effectOf, marksBesideThePool } from '../../../chain/launch/marks.ts';
import type { LaunchRecord } from '../../../db/launch/launch-records.ts';
import * as launches from '../../../db/launch/launches.ts';
import type { ChainTransaction } from '../../../db/schema/money.ts';
import type { ReconcileDeps } from '../reconcile/deps.ts';
import { RemedyRefusedError } from './refused.ts';

/** The launch that a transaction is of; null where it is of none. */
export async function launchOf({ db }: ReconcileDeps, { purpose }: ChainTransaction): Promise<LaunchRecord | null> {
  const [noun, quoteId = ''] = purpose.split('/');
  return noun === 'launch' ? launches.byQuoteId(db, quoteId) : null;
}

/**
 * Throws a RemedyRefusedError unless it is proven that a transaction outside of lanes can never land. The creator of its launch may have
 * signed the same message a second time: under which signature it landed makes no difference. Marks say so however long strangers make
 * the launch wallet's history; of the pool's transaction alone that is searched.
 */
export async function proveOutsideLanes(
  { rpc }: ReconcileDeps,
  row: ChainTransaction,
  launch: LaunchRecord | null,
): Promise<void> {
  const { signature, lastValidBlockHeight, blockhashSlot } = row;
  const verdict = await rpc.proveDead({
    signatures: [signature],
    lastValidBlockHeight: Number(lastValidBlockHeight),
    blockhashSlot: Number(blockhashSlot),
    effects: launch ? [effectOf(launch.terms, row, marksBesideThePool(launch.terms))] : [],
  });
  if (verdict.verdict === 'landed') throw new RemedyRefusedError(`${signature} has landed at slot ${verdict.slot}`);
  if (verdict.verdict !== 'dead') throw new RemedyRefusedError(`${signature} is not proven dead: ${verdict.reason}`);
}
