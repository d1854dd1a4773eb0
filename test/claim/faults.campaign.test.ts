import { Keypair, PublicKey } from '@solana/web3.js';
import bs58 from 'bs58';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createClaimActivities } from '../../activities/claim/activities.ts';
import { advanceNonce, buildNonceAccount, nonceAddress, nonceRent } from '../../chain/claim/nonce-account.ts';
import { createRpc } from '../../chain/rpc/rpc.ts';
import * as claimNonces from '../../db/claim/claim-nonces.ts';
import * as claims from '../../db/claim/claims.ts';
import { claimKillPurpose, claimPurpose } from '../../domain/claim/purpose.ts';
import type { Purpose } from '../../domain/purpose.ts';
import { CLAIM_JANITOR_ROUND, claimWorkflowId } from '../../workflows/claim/messages.ts';
import { SLOTS_TO_FINALIZE } from '../../dev/localnet/ledger/ledger.ts';
import { signatureIn, signedBy } from '../support/platform/creator.ts';
import { eventually } from '../support/platform/eventually.ts';
import { hurried } from '../support/platform/hurried.ts';
import { type Platform, startPlatform } from '../support/platform/platform.ts';
import { landedClaims } from '../support/claim/chain-claims.ts';
import { claimDepsOf } from '../support/claim/claim-deps.ts';
import { type FeesApi, type PreparedClaim, prepareClaim, submitClaim, untilClaim } from '../support/claim/claimant.ts';
import { giveFeeKey } from '../support/claim/fee-key.ts';
import { confirmed, land, type Market, openMarket } from '../support/claim/claim-market.ts';
import { runRound } from '../support/platform/run-round.ts';
import { plainStamp } from '../support/lanes/stamps.ts';

let platform: Platform;
let market: Market;
beforeAll(async () => {
  platform = await startPlatform({
    slotMs: 100,
    slotsToFinalize: SLOTS_TO_FINALIZE,
    variables: { RATE_LIMIT_CLAIM_PREPARE: '100000', CLAIM_RELAY_SECONDS: '2' },
  });
});
beforeEach(async () => {
  market = await openMarket(platform);
  await market.trade('buy', 5_000_000_000n);
});
afterEach(() => {
  platform.chain.control.clear();
  platform.chain.control.setSlotMs(40);
});
afterAll(() => platform.close());

const balance = async () => (await market.holdings(market.creator.address)).quote;

const prepare = () => prepareClaim(platform, market.mint, market.creator.keypair);

const submit = (claim: PreparedClaim, through: FeesApi = platform) =>
  submitClaim(through, claim, market.creator.keypair);

const signatureOf = (claim: PreparedClaim) => signatureIn(signedBy(claim.transaction, [market.creator.keypair]));

const rowsOf = (purpose: Purpose) =>
  platform.db.selectFrom('chainTransactions').selectAll().where('purpose', '=', purpose).orderBy('attempt').execute();

/** The platform's own wallet. */
const platformWallet = () => Keypair.fromSecretKey(bs58.decode(platform.secrets.PLATFORM_SECRET_KEY));

async function runJanitor(): Promise<void> {
  await runRound(platform, CLAIM_JANITOR_ROUND);
}

/** Makes a claim's row look as a backup has it that was taken in another state. */
async function setBack(claim: PreparedClaim, state: 'issued' | 'submitted', expiresInMs: number): Promise<void> {
  await platform.db.deleteFrom('chainTransactions').where('purpose', '=', claimPurpose(claim.intentId)).execute();
  await sql`update claim_intents set state = ${state}, slot = null, settled_at = null, relayed_at = null, reason = null,
    refusal = null, signature = case when ${state} = 'issued' then null else signature end,
    issued_at = now() - interval '1 hour', expires_at = now() + ${expiresInMs} * interval '1 millisecond',
    updated_at = now() - interval '1 minute' where intent_id = ${claim.intentId}`.execute(platform.db);
}

describe('a database that was set back to before a claim was relayed', () => {
  let claim: PreparedClaim;
  beforeEach(async () => {
    claim = await prepare();
    expect((await submit(claim)).http).toBe(200);
    await untilClaim(platform, claim.intentId, 'finalized');
    await platform.client.workflow.getHandle(claimWorkflowId(claim.intentId)).result();
  });

  it('answers a repeat with the signature on the chain, although the intent looks expired', async () => {
    await setBack(claim, 'issued', -1_000);
    expect(await submit(claim)).toMatchObject({
      http: 200,
      data: { signature: signatureOf(claim), alreadySubmitted: true, landed: true },
    });
  });

  it('takes a repeat in time in anew, finds it on the chain and pays nothing again', async () => {
    await setBack(claim, 'issued', 60_000);
    expect(await submit(claim)).toMatchObject({ http: 200, data: { signature: signatureOf(claim), landed: true } });
    await untilClaim(platform, claim.intentId, 'finalized');
    expect(await landedClaims(platform, claim.intentId)).toEqual([signatureOf(claim)]);
    expect(await balance()).toBe(BigInt(claim.amounts.quote.amountRaw));
  });

  it('finishes one that it believes to be submitted, by the janitor', async () => {
    await setBack(claim, 'submitted', -1_000);
    await runJanitor();
    await untilClaim(platform, claim.intentId, 'finalized');
    expect((await rowsOf(claimPurpose(claim.intentId))).map(({ status }) => status)).toEqual(['finalized']);
  });

  it('ends the workflow of a claim that it does not have, and answers 404', async () => {
    await platform.db.deleteFrom('claimIntents').where('intentId', '=', claim.intentId).execute();
    const handle = await platform.client.workflow.start('claim', {
      taskQueue: 'launches',
      workflowId: claimWorkflowId(claim.intentId),
      args: [{ intentId: claim.intentId }],
    });
    await expect(handle.result()).rejects.toThrow();
    expect((await handle.describe()).status.name).toBe('FAILED');
    expect((await submit(claim)).http).toBe(404);
  });
});

describe('an API that ended between taking a claim in and telling its workflow', () => {
  it('leaves a claim that the janitor wakes long before its timer', async () => {
    const claim = await prepare();
    await untilItsTimerRuns(claim);
    await claims.submit(platform.db, claim.intentId, signatureOf(claim));
    await sql`update claim_intents set updated_at = now() - interval '1 minute' where intent_id = ${claim.intentId}`.execute(
      platform.db,
    );
    await runJanitor();
    await untilClaim(platform, claim.intentId, 'finalized');
    expect(await balance()).toBe(BigInt(claim.amounts.quote.amountRaw));
  });
});

/** From then on the workflow does not look at the database by itself. */
function untilItsTimerRuns({ intentId }: PreparedClaim) {
  const handle = platform.client.workflow.getHandle(claimWorkflowId(intentId));
  return eventually(async () => {
    const { events } = await handle.fetchHistory();
    return events?.find((event) => event.timerStartedEventAttributes) ?? null;
  });
}

describe('a workflow that somebody terminated', () => {
  it('is started anew by a repeat of the submit, without the janitor', async () => {
    const claim = await prepare();
    await platform.client.workflow.getHandle(claimWorkflowId(claim.intentId)).terminate('by a test');
    expect((await submit(claim)).data).toMatchObject({ landed: true });
    expect(await balance()).toBe(BigInt(claim.amounts.quote.amountRaw));
  });

  it('is started anew by a prepare that answers the same intent', async () => {
    const claim = await prepare();
    const handle = platform.client.workflow.getHandle(claimWorkflowId(claim.intentId));
    await handle.terminate('by a test');
    expect((await prepare()).intentId).toBe(claim.intentId);
    expect((await handle.describe()).status.name).toBe('RUNNING');
  });
});

describe('a worker whose clock is wrong', () => {
  it('does not find an intent due before the database does', async () => {
    const claim = await prepare();
    const deps = { ...claimDepsOf(platform), now: () => new Date(Date.now() + 3_600_000) };
    const facts = await createClaimActivities(deps).openClaim(claim.intentId);
    expect(facts.state).toBe('issued');
    expect(facts.msLeft).toBeGreaterThan(80_000);
    deps.close();
  });
});

describe('a claim that fails on the chain, and a fork that takes the failure back', () => {
  it('is sent again and ends as what is final', async () => {
    const { creator, feeKeyMint } = market;
    const claim = await prepare();
    const held = platform.gate.hold('relayClaim');
    const pending = submit(claim);
    await held.reached;
    await giveFeeKey(platform, feeKeyMint, creator.keypair, Keypair.generate().publicKey);
    platform.chain.control.advanceSlots(40);
    held.release();
    const slot = await eventually(async () => {
      const [row] = await rowsOf(claimPurpose(claim.intentId));
      return row?.status === 'failed' ? Number(row.slot) : null;
    });
    platform.chain.control.setSlotMs(0);
    platform.chain.control.skipSlot({ fromSlot: slot });
    expect((await platform.connection.getSignatureStatus(signatureOf(claim))).value).toBeNull();
    platform.chain.control.setSlotMs(20);
    const { reason } = await untilClaim(platform, claim.intentId, 'not_landed');
    expect(reason).toMatch(/failed on the chain|nonce was advanced/);
    await pending;
    expect((await submit(claim)).data).toMatchObject({ signature: signatureOf(claim), landed: false });
  });
});

describe('a claim that is being killed, and a fork that takes back what had advanced its nonce', () => {
  it('is killed after all', async () => {
    const claim = await prepare();
    platform.chain.control.advanceSlots(40);
    platform.chain.control.dropTransactions(1_000_000);
    const held = platform.gate.hold('killClaim');
    const pending = submit(claim, await hurried(platform, 8));
    await held.reached;
    platform.chain.control.clear();
    const { nonceAccount } = (await claims.byId(platform.db, claim.intentId))!;
    const wallet = platformWallet();
    const advanced = await land(platform, wallet, [advanceNonce(new PublicKey(nonceAccount), wallet.publicKey)]);
    platform.chain.control.setSlotMs(0);
    const { value } = await platform.connection.getSignatureStatus(advanced);
    held.release();
    await pending;
    expect(await rowsOf(claimKillPurpose(claim.intentId))).toEqual([]);
    platform.chain.control.skipSlot({ fromSlot: value!.slot });
    platform.chain.control.setSlotMs(20);
    await untilClaim(platform, claim.intentId, 'not_landed');
    expect((await rowsOf(claimKillPurpose(claim.intentId))).map(({ status }) => status)).toEqual(['finalized']);
    expect(await landedClaims(platform, claim.intentId)).toEqual([]);
  });
});

describe('an endpoint that is behind the claim before', () => {
  it('has no claim refused: what it has of the nonce is older', async () => {
    const before = await prepare();
    const { signature = '' } = (await submit(before)).data ?? {};
    await market.trade('buy', 5_000_000_000n);
    const claim = await prepare();
    const held = platform.gate.hold('signClaim');
    const pending = submit(claim);
    await held.reached;
    const { value } = await platform.connection.getSignatureStatus(signature);
    const behind = (await platform.connection.getSlot('processed')) - value!.slot + 4;
    platform.chain.control.lag(behind);
    held.release();
    await eventually(async () => {
      const { pendingActivities } = await platform.client.workflow
        .getHandle(claimWorkflowId(claim.intentId))
        .describe()
        .then(({ raw }) => raw);
      return (pendingActivities ?? []).some(({ attempt }) => (attempt ?? 0) > 1) || null;
    }, 'a second try');
    platform.chain.control.clear();
    expect((await pending).http).toBe(200);
    await untilClaim(platform, claim.intentId, 'finalized');
  });
});

describe('a platform that has another wallet than when a launch’s nonce was made', () => {
  it('refuses one claim, and has a nonce of its own for the next', async () => {
    const former = await formerNonce();
    const refused = await prepare();
    expect(await submit(refused)).toMatchObject({ http: 409, error: { code: 'conflict', retryable: true } });
    const claim = await prepare();
    expect((await submit(claim)).data).toMatchObject({ landed: true });
    const row = await claimNonces.byMint(platform.db, market.mint);
    expect(row?.nonceAccount).not.toBe(former);
    expect(row?.authority).toBe(platformWallet().publicKey.toBase58());
  });
});

/** A nonce account of the market's launch that an earlier platform wallet made. */
async function formerNonce(): Promise<string> {
  const former = Keypair.generate();
  await confirmed(platform, platform.chain.control.fund(former.publicKey.toBase58(), 1_000_000_000n));
  const mint = new PublicKey(market.mint);
  const account = await nonceAddress(former.publicKey, mint);
  const { blockhash } = await platform.connection.getLatestBlockhash();
  const request = { platform: former, mint, stamp: plainStamp(former, blockhash), computeUnitPrice: 0n };
  const made = await buildNonceAccount(request, await nonceRent(createRpc({ endpoints: [platform.chain.rpcUrl] })));
  await confirmed(platform, await platform.connection.sendRawTransaction(made.wire));
  await claimNonces.put(platform.db, {
    mint: market.mint,
    nonceAccount: account.toBase58(),
    authority: former.publicKey.toBase58(),
  });
  return account.toBase58();
}
