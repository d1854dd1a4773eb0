import { effectOf, launchMarks } from '../../chain/launch/marks.ts';
import * as launches from '../../db/launch/launches.ts';
import type { ChainTransaction } from '../../db/schema/money.ts';
import { isSettled } from '../../domain/launch/machine.ts';
import type { OutsideLanes, ReconcileDeps } from '../money/reconcile/deps.ts';
import { RemedyRefusedError } from '../money/remedies/refused.ts';

/** A launch's bundle is outside of lanes: its transactions leave marks on the chain. */
export const LAUNCH_TRANSACTIONS: OutsideLanes = { prove, assertLeft };

async function launchOf({ db }: Pick<ReconcileDeps, 'db'>, { purpose }: ChainTransaction) {
  const [noun, quoteId = ''] = purpose.split('/');
  return noun === 'launch' ? launches.byQuoteId(db, quoteId) : null;
}

/**
 * The creator may have signed the message twice: a landing under either signature counts. Marks prove this however
 * long strangers make the history; only the pool's transaction needs a search of it.
 */
async function prove(deps: ReconcileDeps, row: ChainTransaction): Promise<void> {
  const { signature, lastValidBlockHeight, blockhashSlot } = row;
  const launch = await launchOf(deps, row);
  const verdict = await deps.rpc.proveDead({
    signatures: [signature],
    lastValidBlockHeight: Number(lastValidBlockHeight),
    blockhashSlot: Number(blockhashSlot),
    effects: launch ? [effectOf(launch.terms, row, launchMarks(launch.terms))] : [],
  });
  if (verdict.verdict === 'landed') throw new RemedyRefusedError(`${signature} has landed at slot ${verdict.slot}`);
  if (verdict.verdict !== 'dead') throw new RemedyRefusedError(`${signature} is not proven dead: ${verdict.reason}`);
}

/** The workflow of an open launch ends its own transactions: it knows all their effects. */
async function assertLeft(deps: ReconcileDeps, row: ChainTransaction): Promise<void> {
  const launch = await launchOf(deps, row);
  if (launch && !isSettled(launch.state) && launch.state !== 'needs_recovery') {
    throw new RemedyRefusedError(`launch ${launch.quoteId} is ${launch.state}; its own workflow ends its transactions`);
  }
}
