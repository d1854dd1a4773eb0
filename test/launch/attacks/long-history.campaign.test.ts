import { Keypair, PublicKey, SystemProgram } from '@solana/web3.js';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { compileTransaction } from '../../../chain/transactions/compile.ts';
import { landedMemos } from '../../support/platform/chain-facts.ts';
import { createCreator, type Creator, type Prepared, signatureIn } from '../../support/platform/creator.ts';
import { letEverythingExpire } from '../../support/platform/doom.ts';
import { eventually } from '../../support/platform/eventually.ts';
import { beginUnlanded, parkAfterPrefix } from '../../support/platform/parking.ts';
import { type Platform, SLOT_MS, startPlatform } from '../../support/platform/platform.ts';
import { resolve } from '../../support/platform/resolve.ts';
import { untilState } from '../../support/platform/until-state.ts';

let platform: Platform;
let creator: Creator;
const stranger = Keypair.generate();
beforeAll(async () => {
  platform = await startPlatform({ landing: { resumeTries: 1 }, variables: { SUBMIT_WAIT_SECONDS: '120' } });
  creator = await createCreator(platform);
  platform.chain.control.fund(stranger.publicKey.toBase58(), 10n ** 12n);
});
afterEach(() => platform.calm());
afterAll(() => platform.close());

/** More than anybody looks through. */
const FOREIGN = 1_100;
const AT_ONCE = 50;

/** So many transactions of a stranger that name the wallet and the mint of a launch and do nothing to them; time stands still meanwhile. */
async function flood({ launchWallet, mint }: Pick<Prepared, 'launchWallet' | 'mint'>): Promise<void> {
  const named = [launchWallet, mint].map((key) => ({ pubkey: new PublicKey(key), isSigner: false, isWritable: false }));
  platform.chain.control.setSlotMs(0);
  const { blockhash } = await platform.connection.getLatestBlockhash();
  const send = async (n: number) => {
    const [from, to] = [stranger.publicKey, stranger.publicKey];
    const transfer = SystemProgram.transfer({ fromPubkey: from, toPubkey: to, lamports: n });
    transfer.keys.push(...named);
    const plan = { payer: from, instructions: [transfer], computeUnits: 10_000 + n, computeUnitPrice: 0n, blockhash };
    const transaction = compileTransaction(plan);
    transaction.sign([stranger]);
    await platform.connection.sendRawTransaction(transaction.serialize(), { skipPreflight: true });
  };
  for (let first = 0; first < FOREIGN; first += AT_ONCE) {
    await Promise.all(Array.from({ length: AT_ONCE }, (_, index) => send(first + index)));
    platform.chain.control.advanceSlots(1);
  }
  platform.chain.control.setSlotMs(SLOT_MS);
}

describe('strangers who lengthen the history of a launch wallet', () => {
  it('do not keep a paid launch from being resumed', async () => {
    const { prepared, submission } = await parkAfterPrefix(platform, creator, 1);
    await flood(prepared);
    const after = await creator.balance();
    platform.engine.setFault({ fault: 'none' });
    await resolve(platform, prepared, 'resume');
    await untilState(platform, prepared, 'finalized');
    const status = await creator.status(signatureIn(submission.signedTransaction));
    expect(status).toMatchObject({ http: 200, data: { status: 'completed', mint: prepared.mint } });
    expect(await creator.balance()).toBe(after);
  });

  it('do not keep a paid launch from being refunded', async () => {
    const before = await creator.balance();
    const { prepared } = await parkAfterPrefix(platform, creator, 1);
    await flood(prepared);
    await resolve(platform, prepared, 'refund');
    await untilState(platform, prepared, 'refunded');
    expect(await creator.balance()).toBe(before);
  });

  it('do not keep an unpaid launch from ending, not charged, with lamports at its mint’s address either', async () => {
    const { prepared, pending } = await beginUnlanded(platform, creator);
    platform.chain.control.fund(prepared.mint, 890_880n);
    await flood(prepared);
    letEverythingExpire(platform);
    expect(await pending).toMatchObject({ http: 503, charged: false });
    expect(await landedMemos(platform, prepared)).toEqual([]);
  });

  it('who put the payment’s worth into it too have it parked with the reason: nobody can say who paid', async () => {
    const { prepared } = await beginUnlanded(platform, creator);
    platform.chain.control.fund(prepared.launchWallet, 10n ** 9n);
    await flood(prepared);
    letEverythingExpire(platform);
    const launch = await untilState(platform, prepared, 'needs_recovery');
    expect(launch.blockedReason).toMatch(/^it cannot be said what landed of the bundle/);
    await resolve(platform, prepared, 'refund');
    const reason = await eventually(async () => {
      const again = await platform.db
        .selectFrom('launches')
        .selectAll()
        .where('quoteId', '=', prepared.quoteId)
        .executeTakeFirstOrThrow();
      return again.state === 'needs_recovery' && again.blockedReason?.startsWith('a refund is not') ? again : null;
    });
    expect(reason.blockedReason).toContain('it cannot be said what landed');
  });
});
