import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { traceOf } from '../../support/platform/chain-facts.ts';
import { createCreator, type Prepared, signatureIn } from '../../support/platform/creator.ts';
import { type Platform, startPlatform } from '../../support/platform/platform.ts';
import { untilState } from '../../support/platform/until-state.ts';
import { createStranger, type Stranger } from '../../support/launch/stranger.ts';

let platform: Platform;
let stranger: Stranger;
beforeAll(async () => {
  platform = await startPlatform();
  stranger = await createStranger(platform);
});
afterAll(() => platform.close());

/** More than the payment of a launch without extras. */
const MORE_THAN_THE_PAYMENT = 500_000_000n;
const memosOf = ({ quoteId }: Prepared): string[] => [1, 2, 3, 4].map((step) => `launch/${quoteId}/${step}`);

describe.each([
  ['a little', 1_000_000n],
  ['more than its payment', MORE_THAN_THE_PAYMENT],
])('a launch wallet that a stranger sent %s to before its launch began, with its memos', (_what, lamports) => {
  const dust = (prepared: Prepared) => stranger.dust(prepared.launchWallet, lamports, ...memosOf(prepared));

  it('does not spare a creator who cannot pay: nothing is signed', async () => {
    const creator = await createCreator(platform, 0);
    const prepared = await creator.prepare();
    await dust(prepared);
    const answer = await creator.submit(creator.sign(prepared));
    expect(answer).toMatchObject({ http: 503, status: 'service_unavailable', charged: false });
    expect(platform.gate.calls('landBundle', prepared.quoteId)).toBe(0);
    expect((await traceOf(platform, prepared)).ledger).toEqual([]);
  });

  it('does not spare the metadata: what the token says of itself is stored', async () => {
    const creator = await createCreator(platform);
    const prepared = await creator.prepare({ name: `Dusted ${lamports}` });
    await dust(prepared);
    const answer = await creator.submit(creator.sign(prepared));
    expect(answer).toMatchObject({ http: 200, data: { status: 'completed', mint: prepared.mint } });
    const { terms } = await untilState(platform, prepared, 'finalized');
    const file = terms.metadataUri.split('/').at(-1) ?? '';
    expect(existsSync(join(platform.variables.STORE_DIR ?? '', file))).toBe(true);
  });

  it('does not make an expired quote acceptable', async () => {
    const creator = await createCreator(platform);
    const prepared = await creator.prepare();
    await dust(prepared);
    platform.chain.control.advanceSlots(200);
    const submission = creator.sign(prepared);
    expect(await creator.submit(submission)).toMatchObject({ http: 503, charged: false });
    expect(await creator.status(signatureIn(submission.signedTransaction))).toMatchObject({
      http: 503,
      charged: false,
    });
  });
});
