import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchWorkflowId } from '../../workflows/launch/messages.ts';
import { type Creator, createCreator } from '../support/platform/creator.ts';
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

  it('is found in Temporal by each search attribute', async () => {
    const attributes = attributesOf(await untilWorkflowEnded(platform, launched.prepared));
    expect(attributes).toEqual({
      TemporalChangeVersion: ['first-tries'],
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
