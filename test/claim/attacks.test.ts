import { Keypair, SystemProgram, VersionedTransaction } from '@solana/web3.js';
import bs58 from 'bs58';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { createClaimActivities } from '../../activities/claim/activities.ts';
import { createClaimNonceActivities } from '../../activities/claim/nonce.ts';
import { createRpc } from '../../chain/rpc/rpc.ts';
import * as claims from '../../db/claim/claims.ts';
import * as switches from '../../db/platform/switches.ts';
import { claimPurpose } from '../../domain/claim/purpose.ts';
import { startApi } from '../support/platform/api.ts';
import { signatureIn, signedBy } from '../support/platform/creator.ts';
import { eventually } from '../support/platform/eventually.ts';
import { type Platform, startPlatform } from '../support/platform/platform.ts';
import { signedAnew } from '../support/platform/second-signature.ts';
import { landedClaims } from '../support/claim/chain-claims.ts';
import { claimDepsOf } from '../support/claim/claim-deps.ts';
import { prepareClaim, submitClaim, tryPrepare, untilClaim } from '../support/claim/claimant.ts';
import { land, type Market, openMarket } from '../support/claim/claim-market.ts';
import { emptied, RpcRefusal, startLiar } from '../support/rpc/scripted-node.ts';

let platform: Platform;
let market: Market;
beforeAll(async () => {
  platform = await startPlatform({ variables: { RATE_LIMIT_CLAIM_PREPARE: '100000' } });
  await setSwitch('rewardLaunches', 'open');
});
beforeEach(async () => {
  market = await openMarket(platform);
  await market.trade('buy', 5_000_000_000n);
});
afterEach(() => setSwitch('claiming', 'on'));
afterAll(() => platform.close());

const setSwitch = (name: 'claiming' | 'rewardLaunches', value: 'on' | 'off' | 'open') =>
  switches.set(platform.db, name, value, { actor: 'test', note: 'switched by a test' });

const balance = async () => (await market.holdings(market.creator.address)).quote;

const prepare = () => prepareClaim(platform, market.mint, market.creator.keypair);

describe('a creator who signs one claim twice', () => {
  it('is paid once, and hears the signature that landed', async () => {
    const { keypair } = market.creator;
    const claim = await prepare();
    const held = platform.gate.hold('relayClaim');
    const pending = submitClaim(platform, claim, keypair);
    await held.reached;
    const second = await withThePlatformsSignature(claim.intentId, signedAnew(claim.transaction, keypair));
    platform.chain.control.dropTransactions(0);
    const landed = await platform.connection.sendRawTransaction(Buffer.from(second, 'base64'));
    await eventually(async () => (await platform.connection.getSignatureStatus(landed)).value);
    held.release();
    await pending;
    await untilClaim(platform, claim.intentId, 'finalized');
    expect(landed).not.toBe(signatureIn(signedBy(claim.transaction, [keypair])));
    expect(await landedClaims(platform, claim.intentId)).toEqual([landed]);
    expect(await balance()).toBe(BigInt(claim.amounts.quote.amountRaw));
    expect((await submitClaim(platform, claim, keypair)).data).toMatchObject({ signature: landed, landed: true });
  });

  it('submits both at once and hears one signature', async () => {
    const { keypair } = market.creator;
    const claim = await prepare();
    const bodies = Array.from({ length: 6 }, () => ({ signedTransaction: signedAnew(claim.transaction, keypair) }));
    const answers = await Promise.all(bodies.map((body) => submitClaim(platform, claim, keypair, body)));
    expect(new Set(answers.map(({ http, data }) => `${http} ${data?.signature}`)).size).toBe(1);
    expect(await landedClaims(platform, claim.intentId)).toEqual([answers[0]?.data?.signature]);
  });
});

/** A second signature of the wallet over a claim that the platform has signed, with what the platform put to the first. */
async function withThePlatformsSignature(intentId: string, signedAgain: string): Promise<string> {
  const { wire } = await platform.db
    .selectFrom('chainTransactions')
    .select('wire')
    .where('purpose', '=', claimPurpose(intentId))
    .executeTakeFirstOrThrow();
  const transaction = VersionedTransaction.deserialize(wire);
  transaction.signatures[0] = VersionedTransaction.deserialize(Buffer.from(signedAgain, 'base64')).signatures[0]!;
  return Buffer.from(transaction.serialize()).toString('base64');
}

/** Another value in a nonce account, as if it had been advanced. */
function advanced(result: unknown): object {
  const { value, ...rest } = result as { value: readonly ({ data: [string, string] } | null)[] };
  const NONCE = { at: 40, bytes: 80 };
  const twisted = value.map((account) => {
    const data = Buffer.from(account?.data[0] ?? '', 'base64');
    if (data.length === NONCE.bytes) data.writeUInt32LE(7, NONCE.at);
    return account && { ...account, data: [data.toString('base64'), 'base64'] };
  });
  return { ...rest, value: twisted };
}

const emptyValue = (result: unknown) => ({ ...(result as object), value: [] });
/** As Agave answers for a mint that it has not seen. */
const notAMint = () => new RpcRefusal(-32_602, 'Invalid param: could not find mint');
const atSlotZero = (result: unknown) => ({ ...(result as object), context: { slot: 0 } });

describe('the preferred one of three endpoints', () => {
  it.each<[string, string, (result: unknown) => object]>([
    ['denies all accounts', 'getMultipleAccounts', emptied],
    ['says that the nonce has moved on', 'getMultipleAccounts', advanced],
    ['is at the slot zero', 'getMultipleAccounts', atSlotZero],
    ['shows the Fee Key in nobody’s account', 'getTokenLargestAccounts', emptyValue],
  ])('has no claim refused although it %s', async (_what, lie, twist) => {
    const claim = await prepare();
    const signature = signatureIn(signedBy(claim.transaction, [market.creator.keypair]));
    await claims.submit(platform.db, claim.intentId, signature);
    await using liar = await startLiar(platform.chain.rpcUrl, (method, result) =>
      method === lie ? twist(result) : result,
    );
    const others = ['a', 'b'].map((name) => `${platform.chain.rpcUrl}/rpc/${name}`);
    const deps = claimDepsOf(platform, { endpoints: [liar.url, ...others] });
    expect(await createClaimActivities(deps).signClaim(claim.intentId)).toMatchObject({ state: 'relaying' });
    expect(liar.requests.map(({ method }) => method)).toContain(lie);
    deps.close();
  });

  it('is alone with what it says of a nonce: where only one other is asked, nothing is made of it', async () => {
    await using liar = await startLiar(platform.chain.rpcUrl, (method, result) =>
      method === 'getMultipleAccounts' ? advanced(result) : result,
    );
    await prepare();
    const rpc = createRpc({ endpoints: [liar.url, `${platform.chain.rpcUrl}/rpc/a`] });
    const deps = claimDepsOf(platform);
    const making = createClaimNonceActivities({ ...deps, rpc }).makeClaimNonce(market.mint);
    await expect(making).rejects.toThrow('says the same of nonce');
    deps.close();
  });
});

describe('an endpoint that lacks what the holder of a Fee Key is read from', () => {
  it.each<[string, string, (result: unknown) => object]>([
    ['the launch', 'getMultipleAccounts', emptied],
    ['the account of the Fee Key', 'getAccountInfo', emptied],
    ['the mint of the Fee Key', 'getTokenLargestAccounts', notAMint],
    ['the holder of the Fee Key', 'getTokenLargestAccounts', emptyValue],
  ])('refuses no holder a claim, whether it lacks %s', async (_what, lacking, twist) => {
    const claim = await prepare();
    await using behind = await startLiar(platform.chain.rpcUrl, (method, result) =>
      method === lacking ? twist(result) : result,
    );
    const api = await startApi({ ...platform.variables, SOLANA_RPC_URL: behind.url }, platform.log);
    onTestFinished(() => api.close());
    const later = { http: 503, error: { code: 'service_unavailable', retryable: true } };
    expect(await tryPrepare({ api }, market.mint, market.creator.address.toBase58())).toMatchObject(later);
    expect(await submitClaim({ api }, claim, market.creator.keypair)).toMatchObject(later);
    expect(await submitClaim(platform, claim, market.creator.keypair)).toMatchObject({ http: 200 });
  });
});

describe('a stranger who fills the history of a nonce account', () => {
  it('holds up no claim: signing one does not read it', async () => {
    const claim = await prepare();
    await claims.submit(
      platform.db,
      claim.intentId,
      signatureIn(signedBy(claim.transaction, [market.creator.keypair])),
    );
    const deps = claimDepsOf(platform);
    const wholeHistoryOf = () => Promise.reject(new RangeError('more than 10000 transactions'));
    const { signClaim } = createClaimActivities({ ...deps, rpc: { ...deps.rpc, wholeHistoryOf } });
    expect(await signClaim(claim.intentId)).toMatchObject({ state: 'relaying' });
    deps.close();
  });

  it('is not read back beyond the moment a claim was issued', async () => {
    const claim = await prepare();
    const { nonceAccount, issuedSlot } = (await claims.byId(platform.db, claim.intentId))!;
    const deps = claimDepsOf(platform);
    const ranges: unknown[] = [];
    const wholeHistoryOf: typeof deps.rpc.wholeHistoryOf = (address, range) => {
      ranges.push([address, range.sinceSlot]);
      return deps.rpc.wholeHistoryOf(address, range);
    };
    const rival = await landRival();
    await claims.submit(
      platform.db,
      claim.intentId,
      signatureIn(signedBy(claim.transaction, [market.creator.keypair])),
    );
    const { signClaim } = createClaimActivities({ ...deps, rpc: { ...deps.rpc, wholeHistoryOf } });
    expect(await signClaim(claim.intentId)).toMatchObject({ state: 'refused', refusal: 'conflict' });
    expect(rival.data).toMatchObject({ landed: true });
    expect(ranges).toEqual([[nonceAccount, Number(issuedSlot)]]);
    deps.close();
  });
});

/** Another claim of the same launch that takes the nonce. */
async function landRival() {
  await market.trade('buy', 1_000_000_000n);
  return submitClaim(platform, await prepare(), market.creator.keypair);
}

describe('while claiming is paused', () => {
  it('a claim that was taken in before is waited for and answered by every repeat', async () => {
    const { keypair } = market.creator;
    const claim = await prepare();
    const held = platform.gate.hold('signClaim');
    const first = submitClaim(platform, claim, keypair);
    await held.reached;
    await setSwitch('claiming', 'off');
    const repeat = submitClaim(platform, claim, keypair);
    held.release();
    expect((await first).data).toMatchObject({ alreadySubmitted: false, landed: true });
    expect((await repeat).data).toMatchObject({ alreadySubmitted: true, landed: true });
  });

  it('everything else of claiming is 503, whatever else is wrong with it', async () => {
    const claim = await prepare();
    await setSwitch('claiming', 'off');
    const refused = { http: 503, error: { code: 'service_unavailable', retryable: false } };
    const { keypair, address } = market.creator;
    const unknown = { intentId: '00000000-0000-4000-8000-000000000000' };
    expect(await submitClaim(platform, claim, keypair)).toMatchObject(refused);
    expect(await submitClaim(platform, claim, keypair, unknown)).toMatchObject(refused);
    expect(await submitClaim(platform, { ...claim, mint: address.toBase58() }, keypair)).toMatchObject(refused);
    expect(await tryPrepare(platform, address.toBase58(), address.toBase58())).toMatchObject(refused);
  });
});

describe('a submit for a launch that has no creator position', () => {
  it('is 403, and 404 for a mint that nobody knows', async () => {
    const { keypair, address } = market.creator;
    const claim = await prepare();
    const reward = await openMarket(platform, { mode: 'reward' });
    expect(await submitClaim(platform, { ...claim, mint: reward.mint }, keypair)).toMatchObject({ http: 403 });
    expect(await submitClaim(platform, { ...claim, mint: address.toBase58() }, keypair)).toMatchObject({ http: 404 });
  });
});

describe('a wallet without SOL', () => {
  it('hears 409 with what is missing, and claims once it has some', async () => {
    const { keypair, address } = market.creator;
    const claim = await prepare();
    await empty(keypair);
    const answer = await submitClaim(platform, claim, keypair);
    expect(answer).toMatchObject({ http: 409, error: { code: 'conflict', retryable: true } });
    expect(answer.error?.message).toMatch(
      new RegExp(`wallet ${address.toBase58()} holds 0 SOL and lacks 0\\.\\d+ SOL`),
    );
    platform.chain.control.fund(address.toBase58(), 100_000_000n);
    // The claim is simulated on the confirmed state, one slot behind the deposit.
    await eventually(async () => (await platform.connection.getBalance(address, 'confirmed')) || null, 'the deposit');
    expect((await submitClaim(platform, await prepare(), keypair)).data).toMatchObject({ landed: true });
  });
});

/** Takes all of a wallet's SOL, again where what was begun before has paid from it or into it meanwhile. */
async function empty(wallet: Keypair): Promise<void> {
  const helper = Keypair.generate();
  platform.chain.control.fund(helper.publicKey.toBase58(), 100_000_000n);
  await eventually(async () => (await platform.connection.getBalance(helper.publicKey)) || null);
  const { publicKey: fromPubkey } = wallet;
  await eventually(async () => {
    const lamports = await platform.connection.getBalance(fromPubkey, 'confirmed');
    if (lamports === 0) return true;
    const transfer = SystemProgram.transfer({ fromPubkey, toPubkey: helper.publicKey, lamports });
    await land(platform, helper, [transfer], [wallet]).catch(() => undefined);
    return null;
  }, 'an empty wallet');
}

describe('a platform wallet that is empty', () => {
  it('makes the first prepare of a launch a 503 that an operator can see; the next one works', async () => {
    const wallet = Keypair.fromSecretKey(bs58.decode(platform.secrets.PLATFORM_SECRET_KEY));
    await empty(wallet);
    const answer = await tryPrepare(platform, market.mint, market.creator.address.toBase58());
    expect(answer).toMatchObject({ http: 503, error: { code: 'service_unavailable', retryable: true } });
    const handle = platform.client.workflow.getHandle(`claim-nonce-${market.mint}`);
    await expect(handle.result()).rejects.toMatchObject({
      cause: { cause: { message: expect.stringMatching(/^wallet \w+ holds 0 lamports/) as string } },
    });
    expect((await handle.describe()).status.name).toBe('FAILED');
    platform.chain.control.fund(wallet.publicKey.toBase58(), 10n ** 10n);
    await eventually(async () => (await platform.connection.getBalance(wallet.publicKey)) || null);
    expect((await submitClaim(platform, await prepare(), market.creator.keypair)).http).toBe(200);
  });
});

describe('many strangers who prepare', () => {
  it('cost the platform one nonce account, and the holder nothing of the time that was promised', async () => {
    const strangers = Array.from({ length: 15 }, () => Keypair.generate());
    const claims = await Promise.all(strangers.map((stranger) => prepareClaim(platform, market.mint, stranger)));
    expect(new Set(claims.map(({ intentId }) => intentId)).size).toBe(strangers.length);
    const rows = await platform.db.selectFrom('claimNonces').selectAll().where('mint', '=', market.mint).execute();
    expect(rows).toHaveLength(1);
    const own = await prepare();
    expect(Date.parse(own.expiresAt) - Date.now()).toBeGreaterThan(88_000);
    expect((await submitClaim(platform, own, market.creator.keypair)).data).toMatchObject({ landed: true });
  });
});
