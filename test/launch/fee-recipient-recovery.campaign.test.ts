import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { Connection, Keypair, type PublicKey } from '@solana/web3.js';
import { SEED_PAIRS } from '../../dev/seed/local-pairs.ts';
import { judge } from '../campaigns/chaos/chain-verdict.ts';
import { createCreator } from '../support/platform/creator.ts';
import { parkAfterPrefix } from '../support/platform/parking.ts';
import { type Platform, startPlatform } from '../support/platform/platform.ts';
import { resolve } from '../support/platform/resolve.ts';
import { untilState } from '../support/platform/until-state.ts';

let platform: Platform;
let recipient: PublicKey;
beforeAll(async () => {
  platform = await startPlatform();
  recipient = Keypair.generate().publicKey;
});
afterEach(() => platform.calm());
afterAll(() => platform.close());

async function parked(prefix: number) {
  const creator = await createCreator(platform);
  const before = await creator.balance();
  const { prepared } = await parkAfterPrefix(platform, creator, prefix, { feeRecipient: recipient.toBase58() });
  const chain = { connection: new Connection(platform.chain.rpcUrl, 'confirmed'), exchange: platform.exchange };
  const quoteMint = SEED_PAIRS[0]!.mint;
  const judged = (feeKeyTo: PublicKey) =>
    judge(chain, { creator: creator.address, before, prepared, quoteMint, feeKeyTo });
  return { creator, prepared, judged };
}

it.each([1, 2, 3])(
  'a launch resumed after %i landed transactions gives its Fee Key to the wallet it named, and to no other',
  async (prefix) => {
    const { creator, prepared, judged } = await parked(prefix);
    platform.engine.setFault({ fault: 'none' });
    await resolve(platform, prepared, 'resume');
    await untilState(platform, prepared, 'finalized');
    const { outcome, problems, feeKeyHolders } = await judged(recipient);
    expect([outcome, problems]).toEqual(['launched', []]);
    expect(feeKeyHolders).toContain(recipient.toBase58());
    // The judge tells a key that went to the creator from one that went where it was asked to go.
    expect((await judged(creator.address)).problems).toEqual([
      `${creator.address.toBase58()} has 0 Fee Keys instead of 1`,
    ]);
  },
);

it('a refunded launch pays its creator back, and the wallet it named gets nothing', async () => {
  const { prepared, judged } = await parked(2);
  await resolve(platform, prepared, 'refund');
  await untilState(platform, prepared, 'refunded');
  const { outcome, problems, feeKeyHolders } = await judged(recipient);
  expect([outcome, problems, feeKeyHolders]).toEqual(['refunded', [], []]);
  expect(await platform.connection.getAccountInfo(recipient)).toBeNull();
});
