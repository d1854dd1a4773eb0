import * as launches from '../../db/launch/launches.ts';
import * as chainTransactions from '../../db/money/chain-transactions.ts';
import type { Purpose } from '../../domain/purpose.ts';
import { isUuid } from '../../domain/uuid.ts';
import { adoptSigned } from '../money/adopt.ts';
import type { ReconcileDeps } from '../money/reconcile/deps.ts';
import { idIn, provenOrRefused, RemedyRefusedError } from '../money/remedies/refused.ts';

/** Books a transaction of a parked launch's bundle that landed and is not in the books. */
export async function adoptBundled(deps: ReconcileDeps, subject: string, purpose?: string): Promise<string> {
  const signature = idIn(subject);
  const [noun, quoteId = ''] = purpose?.split('/') ?? [];
  const launch = noun === 'launch' && isUuid(quoteId) ? await launches.byQuoteId(deps.db, quoteId) : null;
  if (!launch || purpose === undefined)
    throw new RemedyRefusedError('say with --purpose which launch it is of: launch/QUOTE_ID/N');
  if (launch.state !== 'needs_recovery') throw new RemedyRefusedError(`launch ${quoteId} is ${launch.state}`);
  const known = await chainTransactions.bySignature(deps.db, signature);
  if (known) throw new RemedyRefusedError(`the books have ${signature} as ${known.purpose}, ${known.status}`);
  const { addresses, payment } = launch.terms;
  const { slot: asOfSlot } = await deps.rpc.agreedHead('confirmed');
  const search = { signer: addresses.launchWallet, span: { sinceSlot: payment.blockhashSlot, asOfSlot } };
  await provenOrRefused(() => adoptSigned(deps, search, { purpose: purpose as Purpose, signature }));
  const row = await chainTransactions.bySignature(deps.db, signature);
  if (row?.purpose !== purpose) throw new RemedyRefusedError(`${signature} is not ${purpose} of its launch wallet`);
  return `${purpose} landed as ${signature}; now resolve launch ${quoteId}`;
}
