import { REMEDIES } from '../../worker/money/remedies.ts';
import { Keypair } from '@solana/web3.js';
import { describe, expect, it } from 'vitest';
import { AnotherListSealedError, sealAirdrop } from '../../activities/airdrop/seal.ts';
import { laneOf } from '../../chain/lanes/lane.ts';
import type { SignedTransaction } from '../../chain/transactions/compile.ts';
import { signPurposed } from '../../chain/transactions/purposed.ts';
import { sealWork } from '../../chain/transactions/seal.ts';
import * as airdrops from '../../db/airdrop/airdrops.ts';
import { transaction } from '../../db/connect.ts';
import * as lanes from '../../db/money/lanes.ts';
import * as laneSteps from '../../db/money/lane-steps.ts';
import { airdropSealPurpose } from '../../domain/purpose.ts';
import { plannedAirdrop } from '../support/airdrop/airdrop-rows.ts';
import { useDatabase } from '../support/db/use-database.ts';
import { laneRow } from '../support/lanes/lane-row.ts';
import { sizedStamp } from '../support/lanes/stamps.ts';
import { address } from '../support/launch/launch-rows.ts';
import { alwaysDue } from '../support/money/due.ts';

const { db } = useDatabase();
const keys = { wallet: Keypair.generate(), mint: Keypair.generate() };

/** A signed seal of this root, hex. */
async function sealOf(quoteId: string, root: string): Promise<SignedTransaction> {
  const { wallet, mint } = keys;
  const stamp = await sizedStamp(wallet, address(), airdropSealPurpose(quoteId));
  const frame = { stamp, payer: wallet, wallet, computeUnitPrice: 1n };
  return signPurposed(frame, sealWork(wallet.publicKey, { root: Buffer.from(root, 'hex'), about: mint.publicKey }));
}

/** Books the seal as signed, and as final unless it may still land. */
async function seal(quoteId: string, bytes: Pick<SignedTransaction, 'signature' | 'wire'>, isFinal = true) {
  const purpose = airdropSealPurpose(quoteId);
  const lane = laneOf(purpose);
  const { number: last, value: from } = await laneRow(db(), lane);
  const step = { lane, number: last + 1, from, to: BigInt(last + 1) << 40n, digest: new Uint8Array(32) };
  const bounds = { blockhash: address(), blockhashSlot: 1n, lastValidBlockHeight: 2n };
  const version = { ...step, ...bounds, purpose, signature: bytes.signature, wire: bytes.wire };
  await laneSteps.persist(db(), version, alwaysDue(purpose));
  if (isFinal) await lanes.advance(db(), [{ ...version, slot: 9n }]);
}

/** Seals as a worker does whose endpoints have no record of any transaction. */
function sealing(quoteId: string): Promise<void> {
  const deps = {
    db: db(),
    lanes: { ground: async () => ({}), turns: { take: (_: number, work: () => unknown) => work() } },
    rpc: { preference: () => 0, agreedTransaction: async () => null },
    sleep: async () => undefined,
    logger: { info: () => undefined },
  };
  return sealAirdrop(deps as never, { launch: { quoteId }, terms: { computeUnitPrice: '1' }, keys } as never);
}

const close = (quoteId: string) =>
  transaction(db(), (tx) => REMEDIES.close.airdrop({ db: tx } as never, `airdrop/${quoteId}`));

describe('a seal that is final and not marked', () => {
  it('is marked by the bytes of the ledger, although no endpoint has its record', async () => {
    const { quoteId, recipientsHash: root } = await plannedAirdrop(db(), false);
    const own = await sealOf(quoteId, root);
    await seal(quoteId, own);
    await sealing(quoteId);
    expect(await airdrops.byQuoteId(db(), quoteId)).toMatchObject({ sealSignature: own.signature });
  });

  it('of another list delivers nothing, and its airdrop can be closed', async () => {
    const { quoteId } = await plannedAirdrop(db(), false);
    await seal(quoteId, await sealOf(quoteId, 'ab'.repeat(32)));
    await expect(sealing(quoteId)).rejects.toThrow(AnotherListSealedError);
    expect(await airdrops.byQuoteId(db(), quoteId)).toMatchObject({ sealSignature: null });
    expect(await close(quoteId)).toContain('10 wallets get nothing');
  });

  it('keeps its document when its airdrop is closed', async () => {
    const { quoteId, recipientsHash: root } = await plannedAirdrop(db(), false);
    await seal(quoteId, await sealOf(quoteId, root));
    await close(quoteId);
    expect(await airdrops.byQuoteId(db(), quoteId)).toMatchObject({ sealedRoot: root, sealSignature: null });
  });

  it('is not read from bytes that the signature does not prove', async () => {
    const { quoteId, recipientsHash: root } = await plannedAirdrop(db(), false);
    const [{ signature }, { wire }] = [await sealOf(quoteId, 'ab'.repeat(32)), await sealOf(quoteId, root)];
    await seal(quoteId, { signature, wire });
    await expect(sealing(quoteId)).rejects.toThrow('no quorum of RPC endpoints has the finalized');
  });

  it('is waited for while it may land', async () => {
    const { quoteId, recipientsHash: root } = await plannedAirdrop(db(), false);
    await seal(quoteId, await sealOf(quoteId, root), false);
    await expect(close(quoteId)).rejects.toThrow('seal is broadcasting as');
  });
});
