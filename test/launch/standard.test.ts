import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deriveLaunchAddresses } from '../../chain/keys/launch-keys.ts';
import { searchMint } from '../../chain/keys/mint-search.ts';
import { verifyLaunch } from '../../client/verify/launch/verify-launch.ts';
import { createRpcChain } from '../../client/verify/rpc-chain.ts';
import { parseKeyList } from '../../config/secrets.ts';
import * as launchAddresses from '../../db/launch/launch-addresses.ts';
import { launchWorkflowId } from '../../workflows/launch/messages.ts';
import { type Creator, type CreatorFixture, createCreator } from '../support/platform/creator.ts';
import { eventually } from '../support/platform/eventually.ts';
import { expectLaunchedOnce } from '../support/platform/expect-launched.ts';
import { LOGO_BYTES } from '../support/platform/logo.ts';
import { type Platform, startPlatform } from '../support/platform/platform.ts';
import { spellingsOf } from '../support/platform/secrets.ts';
import { attributesOf, historyText, untilWorkflowEnded } from '../support/platform/workflow-history.ts';
import { untilState } from '../support/platform/until-state.ts';

let platform: Platform;
let creator: Creator;
let before: number;
let launched: Awaited<ReturnType<Creator['launch']>>;

beforeAll(async () => {
  platform = await startPlatform();
  creator = await createCreator(platform);
  before = await creator.balance();
  launched = await creator.launchToEnd({ twitter: 'https://x.com/harbour' });
});
afterAll(() => platform.close());

describe('a standard launch', () => {
  it('is completed when submit answers, with the mint that prepare named', () => {
    const { answer, prepared } = launched;
    expect(answer).toMatchObject({ http: 200, data: { status: 'completed', mint: prepared.mint } });
  });

  it('exists on the chain exactly as promised, and its creator paid the quoted lamports and the fee once', async () => {
    await expectLaunchedOnce(platform, creator, launched.prepared, before);
  });

  it('has metadata under the URI that was fixed before it was stored', async () => {
    const { metadataUri } = await platform.db
      .selectFrom('tokens')
      .select('metadataUri')
      .where('mint', '=', launched.prepared.mint)
      .executeTakeFirstOrThrow();
    const json = (await platform.api.inject({ url: new URL(metadataUri).pathname })).json<Record<string, string>>();
    expect(json).toMatchObject({ name: 'Harbour Light', symbol: 'HARBOR' });
    const logo = await platform.api.inject({ url: new URL(json['image'] ?? '').pathname });
    expect(logo.rawPayload.equals(LOGO_BYTES)).toBe(true);
  });

  it('goes through every state once and ends beyond any fork', async () => {
    await untilState(platform, launched.prepared, 'finalized');
    const status = await creator.status(launched.answer.data?.paymentSignature ?? '');
    expect(status).toMatchObject({ http: 200, data: { status: 'completed', mint: launched.prepared.mint } });
    expect(status.data?.states?.map(({ state }) => state)).toEqual([
      'received',
      'preparing',
      'landing',
      'recording',
      'completed',
      'finalized',
    ]);
    const finalized = await platform.connection.getSignatureStatus(launched.answer.data?.paymentSignature ?? '');
    expect(finalized.value?.confirmationStatus).toBe('finalized');
  });

  it('is proven by the chain alone, by its mint and by its payment', async () => {
    await untilState(platform, launched.prepared, 'finalized');
    const { rpcUrl } = platform.chain;
    for (const launch of [launched.prepared.mint, launched.answer.data?.paymentSignature ?? '']) {
      const chain = createRpcChain({ urls: [rpcUrl] });
      const checks = await verifyLaunch({ launch, chain });
      expect(checks.filter(({ status }) => status !== 'proven')).toMatchObject([{ name: 'liquidity' }]);
      expect(chain.calls).toBeLessThanOrEqual(12);
    }
  });

  it('is found in Temporal by each search attribute', async () => {
    const attributes = attributesOf(await untilWorkflowEnded(platform, launched.prepared));
    expect(attributes).toEqual({
      LaunchState: 'finalized',
      Mint: launched.prepared.mint,
      Creator: creator.address.toBase58(),
      PaymentSignature: launched.answer.data?.paymentSignature,
      BuildIds: expect.anything() as unknown,
    });
    for (const name of ['LaunchState', 'Mint', 'Creator', 'PaymentSignature'] as const) {
      const query = `${name} = "${String(attributes[name])}"`;
      const found = await eventually(async () => ((await idsOf(query)).length > 0 ? idsOf(query) : null));
      expect(found, query).toEqual([launchWorkflowId(launched.prepared.quoteId)]);
    }
  });

  it('tells its state in words to whoever opens it in Temporal', async () => {
    const handle = platform.client.workflow.getHandle(launchWorkflowId(launched.prepared.quoteId));
    const metadata = await handle.query<{ currentDetails: string }>('__temporal_workflow_metadata');
    expect(metadata.currentDetails).toContain('` Harbour Light ` (` HARBOR `), standard launch');
    expect(metadata.currentDetails).toContain('State: **finalized**. Done. Nothing is left to do.');
    expect(metadata.currentDetails).toContain('- 4 locks, finalized: `');
  });
});

async function idsOf(query: string): Promise<string[]> {
  const ids: string[] = [];
  for await (const { workflowId } of platform.client.workflow.list({ query })) ids.push(workflowId);
  return ids;
}

describe('what a launch leaves in Temporal and in the logs', () => {
  const writings = async () => [await historyText(platform, launched.prepared), platform.log.text()];

  it('names the launch', async () => {
    for (const text of await writings()) expect(text.includes(launched.prepared.mint)).toBe(true);
  });

  it('is neither the logo nor any secret', async () => {
    const logo = LOGO_BYTES.toString('base64');
    const forbidden = [...spellingsOf(platform.secrets), logo.slice(0, 40), logo.slice(200, 240)];
    expect(forbidden.length).toBeGreaterThan(20);
    for (const text of await writings()) expect(forbidden.filter((secret) => text.includes(secret))).toEqual([]);
  });

  it('is neither the sealed quote nor a payment that someone could send', async () => {
    const { signedQuote, signedTransaction } = launched.submission;
    const forbidden = [signedQuote.slice(0, 200), signedTransaction.slice(0, 120)];
    for (const text of await writings()) expect(forbidden.filter((secret) => text.includes(secret))).toEqual([]);
  });

  it('is bounded: the whole history of a launch is small', async () => {
    expect((await historyText(platform, launched.prepared)).length).toBeLessThan(60_000);
  });
});

describe('a change of LAUNCH_MINT_SUFFIX from worker to worker', () => {
  /** An address of the platform's seed, as a worker with this suffix finds it. */
  function found(suffix: string): launchAddresses.DerivedAddresses {
    const [seed] = parseKeyList('LAUNCH_SEEDS', platform.secrets.LAUNCH_SEEDS);
    if (!seed) throw new Error('the platform has no launch seed');
    const context = { genesisHash: platform.chain.genesisHash, environment: 'test' };
    const quoteId = searchMint({ secret: seed.key, context, suffix }, () => false) ?? '';
    const addresses = deriveLaunchAddresses({ id: seed.id, secret: seed.key }, context, quoteId);
    return { quoteId, seedId: seed.id, genesisHash: context.genesisHash, addresses };
  }

  it('lets an open quote with the old letters launch, and an address that the old worker adds afterwards', async () => {
    const { db } = platform;
    const old: string[] = [];
    const api: CreatorFixture['api'] = {
      inject: async (request) => {
        if (request.url.endsWith('/prepare')) {
          const row = found('w');
          old.push(row.addresses.mint);
          await launchAddresses.addFree(db, [row], 'w');
        }
        // The new worker starts between prepare and submit.
        if (request.url.endsWith('/submit')) await launchAddresses.discardOtherSuffixes(db, 'up');
        return platform.api.inject(request);
      },
    };
    const crossing = await createCreator({ ...platform, api });
    const launches = [await crossing.launchToEnd(), await crossing.launchToEnd()];
    expect(launches.map(({ answer }) => answer.data?.mint)).toEqual(launches.map(({ prepared }) => prepared.mint));
    for (const { prepared } of launches) expect(old).toContain(prepared.mint);
  });
});
