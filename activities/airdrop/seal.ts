import { sealWork } from '../../chain/transactions/seal.ts';
import { signPurposed } from '../../chain/transactions/purposed.ts';
import * as airdrops from '../../db/airdrop/airdrops.ts';
import * as airdropSeals from '../../db/airdrop/airdrop-seals.ts';
import { packDocument } from '../../db/proof/pack-document.ts';
import type { LaunchRecord } from '../../db/launch/launch-records.ts';
import { planAirdrop } from '../../domain/airdrop/airdrop.ts';
import { airdropDocument } from '../../domain/airdrop/airdrop-document.ts';
import { documentLines } from '../../domain/proof/lines.ts';
import { airdropSealPurpose } from '../../domain/purpose.ts';
import { type Moved, moveOnce } from '../money/move-once.ts';
import { sealedRootOf } from '../money/sealed-root.ts';
import type { Delivery } from './delivery.ts';
import type { AirdropDeps } from './deps.ts';
import { lostRecipients, readRecipients } from './recipients.ts';

/** The chain holds the seal of another list. Nothing may be delivered before an operator knows why. */
export class AnotherListSealedError extends Error {
  constructor(quoteId: string, { signature, sealed, root }: { signature: string; sealed: string; root: string }) {
    super(`airdrop ${quoteId} is sealed as ${sealed} by ${signature}; the database has the document ${root}`);
    this.name = 'AnotherListSealedError';
  }
}

/**
 * Commits to the whole list on the chain, once and finally, before a batch may be signed. The launch wallet pays and
 * signs, so every seal of the airdrop is in its history. Idempotent.
 * @throws AnotherListSealedError
 */
export async function sealAirdrop(deps: AirdropDeps, { launch, terms, keys }: Delivery): Promise<void> {
  const { quoteId } = launch;
  const airdrop = await airdrops.byQuoteId(deps.db, quoteId);
  if (!airdrop) throw new Error(`launch ${quoteId} has no airdrop in the database`);
  if (airdrop.sealSignature !== null) return;
  const root = airdrop.sealedRoot ?? (await keepDocument(deps, { launch, terms }));
  const { wallet, mint } = keys;
  const frame = { payer: wallet, wallet, computeUnitPrice: BigInt(terms.computeUnitPrice) };
  const seal = { root: Buffer.from(root, 'hex'), about: mint.publicKey };
  const moved = await moveOnce(deps, {
    purpose: airdropSealPurpose(quoteId),
    payer: wallet.publicKey,
    assertDue: (tx) => airdropSeals.lockDue(tx, quoteId),
    build: (stamp) => signPurposed({ ...frame, stamp }, sealWork(wallet.publicKey, seal)),
  });
  if (moved === null) throw new Error(`the seal of airdrop ${quoteId} moved nothing`);
  await assertSealed(deps, quoteId, root, moved);
  await airdropSeals.mark(deps.db, quoteId, moved);
  deps.logger.info({ root, signature: moved.signature }, 'airdrop sealed');
}

async function keepDocument(deps: AirdropDeps, { launch, terms }: Pick<Delivery, 'launch' | 'terms'>): Promise<string> {
  const recipients = await readRecipients(deps.db, terms);
  if (!recipients) throw new Error(lostRecipients(terms));
  const shareRaw = BigInt(terms.shareRaw);
  const { head, rows } = airdropDocument(
    { ...deps.context, ...identityOf(launch), shareRaw, recipientsHash: terms.recipientsHash, set: recipients.set },
    planAirdrop(shareRaw, recipients.set.recipients),
  );
  return airdropSeals.keep(deps.db, launch.quoteId, await packDocument(documentLines(head, rows)));
}

function identityOf({ quoteId, paymentSignature, terms: { addresses, fee } }: LaunchRecord) {
  if (paymentSignature === null) throw new Error(`launch ${quoteId} is final and has no payment`);
  if (fee.mode !== 'reward') throw new Error(`launch ${quoteId} has an airdrop and no transfer tax`);
  const { mint, launchWallet } = addresses;
  return { quoteId, payment: paymentSignature, mint, launchWallet, taxBps: fee.rewardTaxBps };
}

/** After a restore `moveOnce` finds the seal that the chain holds. */
async function assertSealed(deps: AirdropDeps, quoteId: string, root: string, moved: Moved): Promise<void> {
  const sealed = (await sealedRootOf(deps, moved)) ?? 'nothing';
  if (sealed !== root) throw new AnotherListSealedError(quoteId, { signature: moved.signature, sealed, root });
}
