import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { PublicKey } from '@solana/web3.js';
import * as tokens from '../../db/tokens.ts';
import { SLOTS_TO_FINALIZE } from '../../dev/localnet/ledger/ledger.ts';
import { type Creator, createCreator, type Prepared } from '../support/platform/creator.ts';
import { letEverythingExpire } from '../support/platform/doom.ts';
import { eventually } from '../support/platform/eventually.ts';
import { expectLaunchedOnce } from '../support/platform/expect-launched.ts';
import { type Platform, startPlatform } from '../support/platform/platform.ts';
import { untilState } from '../support/platform/until-state.ts';

let platform: Platform;
let creator: Creator;
let before: number;
beforeAll(async () => {
  platform = await startPlatform({ slotMs: 100, slotsToFinalize: SLOTS_TO_FINALIZE });
});
beforeEach(async () => {
  creator = await createCreator(platform);
  // The creator's own funding must not be dropped with the launch.
  platform.chain.control.advanceSlots(40);
  before = await creator.balance();
});
afterEach(() => platform.calm());
afterAll(() => platform.close());

/** Launches, stops the chain once all of it landed, before anything is final, and resolves when it is `completed`. */
async function launchAndFreeze() {
  const held = platform.gate.hold('finalizeLaunch');
  const landed = platform.gate.hold('recordLaunch');
  const launching = creator.launchToEnd();
  await Promise.race([landed.reached, launching]);
  platform.chain.control.setSlotMs(0);
  landed.release();
  const launch = await launching;
  await held.reached;
  const signature = launch.answer.data?.paymentSignature ?? '';
  const { value } = await platform.connection.getSignatureStatus(signature);
  expect(value?.confirmationStatus).toBe('confirmed');
  return { ...launch, signature, slot: value?.slot ?? 0, held };
}

const exists = async ({ mint }: Prepared) => (await platform.connection.getAccountInfo(new PublicKey(mint))) !== null;

describe('a fork that takes back a completed launch', () => {
  it.each([
    ['all of it', []],
    ['all but the payment', [0]],
    ['all but payment and mint', [0, 1]],
    ['only the locks', [0, 1, 2]],
  ])('%s lands the same token again, with the same payment, charged once', async (_what, reland) => {
    const { prepared, submission, answer, held, slot, signature } = await launchAndFreeze();
    const { dropped } = platform.chain.control.skipSlot({ fromSlot: slot, reland });
    expect(dropped).toHaveLength(4);
    platform.chain.control.setSlotMs(25);
    if (reland.length === 0) expect(await exists(prepared)).toBe(false);
    held.release();
    await untilState(platform, prepared, 'finalized');
    expect(await creator.submit(submission)).toEqual(answer);
    const status = await creator.status(signature);
    expect(status.data).toMatchObject({ status: 'completed', mint: prepared.mint, paymentSignature: signature });
    expect(status.data?.states?.filter(({ state }) => state === 'completed')).toHaveLength(2);
    await expectLaunchedOnce(platform, creator, prepared, before);
  });

  it('and after which it can never land again leaves nothing charged and nothing shown', async () => {
    const { prepared, held, slot, signature } = await launchAndFreeze();
    platform.engine.setFault({ fault: 'drop' });
    platform.chain.control.skipSlot({ fromSlot: slot });
    letEverythingExpire(platform);
    platform.chain.control.setSlotMs(25);
    held.release();
    await untilState(platform, prepared, 'not_landed');
    const status = await creator.status(signature);
    expect(status).toMatchObject({ http: 503, status: 'service_unavailable', charged: false });
    expect(status.data ?? {}).not.toHaveProperty('mint');
    expect(await creator.balance()).toBe(before);
    expect(await exists(prepared)).toBe(false);
    expect(await tokens.byMint(platform.db, prepared.mint)).toBeNull();
  });
});

describe('a slot that is skipped while a bundle lands', () => {
  it.each([[[]], [[0]], [[0, 1]], [[0, 1, 2]], [[0, 1, 2, 3]]])(
    'of which %j lands again ends completed',
    async (reland) => {
      const held = platform.gate.hold('recordLaunch');
      const prepared = await creator.prepare();
      const pending = creator.submit(creator.sign(prepared));
      // Where it was answered before that step, the expectation below says what.
      await Promise.race([held.reached, pending]);
      platform.chain.control.setSlotMs(0);
      const { slot } = await eventually(async () => untilLanded(prepared));
      platform.chain.control.skipSlot({ fromSlot: slot, reland });
      platform.chain.control.setSlotMs(25);
      held.release();
      expect(await pending).toMatchObject({ http: 200, data: { status: 'completed' } });
      await untilState(platform, prepared, 'finalized');
      await expectLaunchedOnce(platform, creator, prepared, before);
    },
  );
});

async function untilLanded({ launchWallet }: Prepared): Promise<{ slot: number } | null> {
  const history = await platform.connection.getSignaturesForAddress(new PublicKey(launchWallet), {}, 'confirmed');
  return history.at(-1) ?? null;
}
