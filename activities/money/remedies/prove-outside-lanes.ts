import { effectOf, launchMarks } from '../../../chain/launch/marks.ts';
import type { LaunchRecord } from '../../../db/launch/launch-records.ts';
import * as launches from '../../../db/launch/launches.ts';
import type { ChainTransaction } from '../../../db/schema/money.ts';
import type { ReconcileDeps } from '../reconcile/deps.ts';
import { RemedyRefusedError } from './refused.ts';

export async function launchOf({ db }: ReconcileDeps, { purpose }: ChainTransaction): Promise<LaunchRecord | null> {
  const [noun, quoteId = ''] = purpose.split('/');
  return noun === 'launch' ? launches.byQuoteId(db, quoteId) : null;
}

/**
 * The creator may have signed the message twice: a landing under either signature counts. Marks prove this however
 * long strangers make the history; only the pool's transaction needs a search of it.
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
    effects: launch ? [effectOf(launch.terms, row, launchMarks(launch.terms))] : [],
  });
  if (verdict.verdict === 'landed') throw new RemedyRefusedError(`${signature} has landed at slot ${verdict.slot}`);
  if (verdict.verdict !== 'dead') throw new RemedyRefusedError(`${signature} is not proven dead: ${verdict.reason}`);
}
