import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as claimNonces from '../../db/claim/claim-nonces.ts';
import * as claims from '../../db/claim/claims.ts';
import { connect, type Db } from '../../db/connect.ts';
import { insertSigned } from '../../db/money/chain-transaction-insert.ts';
import { CLAIM_MEANING } from '../../domain/claim/state.ts';
import { claimKillPurpose, claimPurpose, noncePurpose } from '../../domain/claim/purpose.ts';
import type { Purpose } from '../../domain/purpose.ts';
import { issueClaim } from '../support/claim/issued-claim.ts';
import { address, signature } from '../support/launch/launch-rows.ts';
import { launchedToken } from '../support/launch/launched-token.ts';
import { createTestDatabase } from '../setup/database.ts';
import { ops } from '../support/ops/ops-run.ts';

let db: Db;
let env: Record<string, string>;
let mint: string;
const nonceAccount = address();
const [killed, issued] = ['3f0c1c1e-7d1e-4a53-9a0c-7f6e3a1f0b11', '3f0c1c1e-7d1e-4a53-9a0c-7f6e3a1f0b12'];
const killedSignature = signature();

beforeAll(async () => {
  const { url } = await createTestDatabase();
  db = connect(url);
  env = { DATABASE_URL: url, TEMPORAL_ADDRESS: '127.0.0.1:1', TEMPORAL_UI_URL: 'http://ui:8233/' };
  ({ mint } = await launchedToken(db));
  await claimNonces.put(db, { mint, nonceAccount, authority: address() });
  await sign(noncePurpose(nonceAccount), signature());
  for (const intentId of [killed, issued]) await issue(intentId);
  await bringToKilling();
});
afterAll(() => db.destroy());

const issue = (intentId: string) => issueClaim(db, intentId, { mint, nonceAccount });

/** A claim that did not land and is being ended. */
async function bringToKilling(): Promise<void> {
  await claims.submit(db, killed, killedSignature);
  await claims.transition(db, killed, ['submitted'], 'relaying');
  await claims.transition(db, killed, ['relaying'], 'killing');
  await sign(claimPurpose(killed), killedSignature);
  await sign(claimKillPurpose(killed), signature());
}

async function sign(purpose: Purpose, own: string): Promise<void> {
  await insertSigned(db, [
    {
      purpose,
      attempt: 1,
      signature: own,
      wire: Buffer.from('wire'),
      blockhash: address(),
      blockhashSlot: 1n,
      lastValidBlockHeight: 2n,
    },
  ]);
}

async function json(line: string): Promise<unknown> {
  const { status, printed, message } = await ops(env, `${line} --json`);
  expect([status, message]).toEqual([0, undefined]);
  return JSON.parse(printed);
}

describe('claims list', () => {
  test('shows claims, last issued first, of one launch, in some states, or those that are under way', async () => {
    const both = { claims: [{ intentId: issued }, { intentId: killed }] };
    expect(await json('claims list')).toMatchObject(both);
    expect(await json(`claims list --mint ${mint}`)).toMatchObject(both);
    expect(await json(`claims list --mint ${address()}`)).toEqual({ claims: [] });
    expect(await json('claims list --state issued')).toMatchObject({ claims: [{ intentId: issued }] });
    expect(await json('claims list --open')).toMatchObject({ claims: [{ intentId: killed, state: 'killing' }] });
    expect((await ops(env, 'claims list')).printed).toMatch(new RegExp(`^STATE .*\nissued +${issued}`));
  });

  test('refuses a state that claims do not have', async () => {
    expect(await ops(env, 'claims list --state landing')).toMatchObject({ status: 2 });
    expect(await ops(env, 'claims list --state issued --open')).toMatchObject({ status: 2 });
  });
});

describe('claims show', () => {
  test.each([
    ['its intent id', () => killed],
    ['its workflow id', () => `claim-${killed}`],
    ['its signature', () => killedSignature],
  ])('finds a claim by %s', async (_what, id) => {
    expect(await json(`claims show ${id()}`)).toMatchObject({
      claim: { intentId: killed, state: 'killing', mint, nonceAccount, signature: killedSignature, quoteRaw: '6' },
      meaning: CLAIM_MEANING.killing,
      todo: expect.stringContaining('SOL in the platform wallet') as string,
      transactions: [{ purpose: claimPurpose(killed) }, { purpose: claimKillPurpose(killed), status: 'signed' }],
      workflow: { id: `claim-${killed}`, url: `http://ui:8233/namespaces/default/workflows/claim-${killed}` },
    });
  });

  test('says to people why, what clients see and what to do', async () => {
    const { printed } = await ops(env, `claims show ${killed}`);
    expect(printed).toContain(`killing: ${CLAIM_MEANING.killing}`);
    expect(printed).toMatch(/clients see +200 with the signature, landed not said/);
    expect(printed).toMatch(/if it stays so +check worker/);
    expect(printed).not.toContain('issued bytes');
  });

  test('of a mint shows its nonce account, how that was made, and its claims', async () => {
    expect(await json(`claims show ${mint}`)).toMatchObject({
      mint,
      nonce: { nonceAccount },
      nonceWorkflow: { id: `claim-nonce-${mint}` },
      nonceTransactions: [{ purpose: `nonce/${nonceAccount}` }],
      claims: [{ intentId: issued }, { intentId: killed }],
    });
    expect((await ops(env, `claims show ${mint} --limit 1`)).printed).not.toContain(killed);
  });

  test.each([
    ['an intent that was never issued', '00000000-0000-4000-8000-000000000000', /no claim with the intent id/],
    ['a signature of no claim', signature(), /no claim with the intent id or signature/],
    ['a mint that was not launched here', address(), /no launch with the mint/],
    ['something else', 'x', /neither an intent id nor a signature nor a mint/],
  ])('says of %s that there is none', async (_what, id, says) => {
    const { status, message } = await ops(env, `claims show ${id}`);
    expect([status, message]).toEqual([1, expect.stringMatching(says)]);
  });
});
