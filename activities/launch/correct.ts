import { hasBegun } from '../../chain/launch/has-begun.ts';
import type { LandedTransaction } from '../../chain/rpc/transactions.ts';
import type { LaunchRecord } from '../../db/launch/launch-records.ts';
import * as launches from '../../db/launch/launches.ts';
import * as chainTransactions from '../../db/money/chain-transactions.ts';
import { correcting, parkCharged, reviveLanded } from '../../db/money/corrections.ts';
import { launchPurpose } from '../../domain/purpose.ts';
import { adoptSigned } from '../money/adopt.ts';
import type { ReconcileDeps } from '../money/reconcile/deps.ts';
import { idIn, provenOrRefused, RemedyRefusedError } from '../money/remedies/refused.ts';

type CorrectDeps = Pick<ReconcileDeps, 'db' | 'rpc' | 'logger' | 'now'>;

/** Parks a launch that was taken for uncharged, although the chain shows it. */
export async function correctLaunch(deps: CorrectDeps, subject: string): Promise<string> {
  const quoteId = idIn(subject);
  const launch = await launches.byQuoteId(deps.db, quoteId);
  if (launch?.state !== 'not_landed') throw new RemedyRefusedError(`${subject} is ${launch?.state ?? 'unknown'}`);
  const payment = await findPayment(deps, launch);
  if (payment !== null) await bookPayment(deps, launch, payment);
  else await assertBegun(deps, launch);
  const blockedReason = payment
    ? `the payment landed as ${payment.signature}, although it was taken for dead`
    : 'the chain shows the launch, although it was taken for dead, and not yet by which transactions';
  const found = { signature: payment?.signature ?? null, slot: payment ? BigInt(payment.slot) : null, blockedReason };
  await correcting(deps.db, (tx) => parkCharged(tx, quoteId, found));
  return `launch ${quoteId} needs recovery: ${blockedReason}`;
}

/** Reads the payment under any known signature; null proves nothing. */
async function findPayment({ db, rpc }: CorrectDeps, { quoteId }: LaunchRecord): Promise<LandedTransaction | null> {
  const attempts = await chainTransactions.attemptsOf(db, launchPurpose(quoteId, 1));
  const known = [...attempts, ...(await launches.signatures(db, quoteId))].map(({ signature }) => signature);
  for (const signature of new Set(known)) {
    const landed = await rpc.agreedTransaction(signature);
    if (landed?.err === null) return landed;
  }
  return null;
}

async function bookPayment(
  deps: CorrectDeps,
  { quoteId, terms }: LaunchRecord,
  { signature, slot }: LandedTransaction,
): Promise<void> {
  const row = await chainTransactions.bySignature(deps.db, signature);
  if (row) return correcting(deps.db, (tx) => reviveLanded(tx, row, BigInt(slot)));
  const { addresses, payment } = terms;
  const span = { sinceSlot: payment.blockhashSlot, asOfSlot: slot };
  const search = { signer: addresses.launchWallet, span };
  await provenOrRefused(() => adoptSigned(deps, search, { purpose: launchPurpose(quoteId, 1), signature }));
}

/** Throws unless the launch's own accounts show that it happened; used when no payment is known. */
async function assertBegun({ rpc, now }: CorrectDeps, { quoteId, terms }: LaunchRecord): Promise<void> {
  if (await provenOrRefused(() => hasBegun(rpc, terms, now()))) return;
  throw new RemedyRefusedError(`nothing of launch ${quoteId} is on the chain: a stranger sent it lamports`);
}
