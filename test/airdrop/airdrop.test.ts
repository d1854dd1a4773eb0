import { LAMPORTS_PER_SOL, PublicKey } from '@solana/web3.js';
import Type, { type Static, type TSchema } from 'typebox';
import { Value } from 'typebox/value';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRpcChain } from '../../client/verify/rpc-chain.ts';
import { verifyAirdrop } from '../../client/verify/airdrop/verify-airdrop.ts';
import { openRecipients } from '../../chain/airdrop/recipient-hash.ts';
import * as recipientSets from '../../db/airdrop/recipient-sets.ts';
import { listTokens } from '../../db/market/token-list.ts';
import * as switches from '../../db/platform/switches.ts';
import { LABELLED_WALLETS } from '../../dev/seed/labelled-wallets.ts';
import { AIRDROP_HOLDERS, SEED_PAIRS } from '../../dev/seed/local-pairs.ts';
import { batchCount, RECIPIENTS_PER_BATCH } from '../../domain/airdrop/airdrop.ts';
import { AIRDROP_RECIPIENTS, AIRDROP_TIERS, TOTAL_SUPPLY_RAW } from '../../domain/token-facts.ts';
import { createCreator, type Creator, type Prepared } from '../support/platform/creator.ts';
import { eventually } from '../support/platform/eventually.ts';
import { LOGO } from '../support/platform/logo.ts';
import { type Platform, startPlatform } from '../support/platform/platform.ts';
import type { Original } from '../support/launch/alterations/alteration.ts';
import { sealed, termsOf } from '../support/launch/alterations/quote-alterations.ts';
import { AirdropAnswer, AirdropTermsAnswer, PreparedAnswer } from '../support/airdrop/answers.ts';
import {
  accountsOf,
  AIRDROP,
  deliveredBatches,
  expectedRecipients,
  HELD,
  type Held,
  untilDelivered,
} from '../support/airdrop/airdrop-platform.ts';
import { accountFor, demandMemos, dust, holderKey } from '../support/airdrop/recipient-accounts.ts';
import { LAUNCH_WALLETS_ROUND } from '../../workflows/launch/messages.ts';
import { runRound } from '../support/platform/run-round.ts';

let platform: Platform;
let creator: Creator;
beforeAll(async () => {
  platform = await startPlatform({ holders: AIRDROP_HOLDERS });
  creator = await createCreator(platform, 50);
});
afterAll(() => platform.close());

/** The data of an answer, parsed. */
async function read<Schema extends TSchema>(path: string, schema: Schema): Promise<Static<Schema>> {
  const answer = await platform.api.inject(`/api/public/v1${path}`);
  expect(answer.statusCode, answer.body).toBe(200);
  return Value.Parse(schema, Value.Parse(Type.Object({ data: Type.Unknown() }), answer.json()).data);
}

const airdropOf = async (mint: string) => (await read(`/tokens/${mint}/airdrop`, AirdropAnswer)).airdrop;
async function holdersOf(mint: string) {
  const Holder = Type.Object({ owner: Type.String(), label: Type.Union([Type.Null(), Type.String()]) });
  const { holders } = await read(`/tokens/${mint}/holders`, Type.Object({ holders: Type.Array(Holder) }));
  return holders.map(({ owner, label }) => ({ owner, label }));
}

const statusOf = async (path: string) => (await platform.api.inject(`/api/public/v1${path}`)).statusCode;

async function documentedPaths(): Promise<string> {
  return (await platform.api.inject('/api/public/v1/openapi.json')).body;
}

/** A prepared launch whose quote can be looked into, though nobody has signed its payment. */
function originalOf(prepared: Prepared): Original {
  const { signedQuote, logo } = prepared;
  const submission = { signedQuote, logo, signedTransaction: '' };
  return { platform, creator, prepared, submission, other: { prepared, submission } };
}

/** The recipients that a prepared launch was sealed with. */
async function sealedRecipients(prepared: Prepared): Promise<readonly string[]> {
  const { airdrop } = await termsOf(originalOf(prepared));
  const hash = airdrop?.recipientsHash ?? '';
  const document = await recipientSets.byHash(platform.db, hash);
  return openRecipients(hash, document ?? Buffer.alloc(0)).recipients;
}

describe('prepare', () => {
  it('names recipients, the fee, which is part of the payment, and that delivery comes after the launch', async () => {
    const answer = await platform.api.inject({
      method: 'POST',
      url: '/api/public/v1/launches/prepare',
      payload: { ...AIRDROP, ...bodyOf(), airdropPercent: 12.5, airdropTier: 'top1000' },
    });
    const { airdrop, payment } = Value.Parse(Type.Object({ data: PreparedAnswer }), answer.json()).data;
    expect(airdrop).toMatchObject({ recipients: 1_000, tier: 'top1000', source: 'quote-holders', percent: 12.5 });
    expect(airdrop.delivery).toBe('afterLaunch');
    expect([airdrop.tokens, airdrop.tokensRaw]).toEqual([125_000_000, '125000000000000000']);
    const item = payment.items.find((each) => each.item === 'airdrop');
    expect(item?.lamports).toBe(airdrop.feeLamports);
    expect(payment.items.reduce((sum, { lamports }) => sum + lamports, 0)).toBe(payment.lamports);
    // A thousand accounts of a token with a transfer tax, and hardly more.
    const rent = await platform.connection.getMinimumBalanceForRentExemption(182);
    expect(airdrop.feeLamports / (1_000 * rent)).toBeGreaterThan(1);
    expect(airdrop.feeLamports / (1_000 * rent)).toBeLessThan(1.01);
  });

  it.each(AIRDROP_TIERS)(
    'freezes the whole tier %s: who is excluded is followed by the next holder down',
    async (airdropTier) => {
      const prepared = await creator.prepare({ ...AIRDROP, airdropTier });
      const recipients = await sealedRecipients(prepared);
      expect(recipients).toEqual(expectedRecipients(AIRDROP_RECIPIENTS[airdropTier]));
      const excluded = new Set(LABELLED_WALLETS.map(({ wallet }) => wallet.toBase58()));
      expect(recipients.filter((recipient) => excluded.has(recipient))).toEqual([]);
    },
  );

  it('leaves the creator out, who gets tokens by a dev buy alone', async () => {
    const holder = holderKey(20).publicKey.toBase58();
    expect(expectedRecipients(100)).toContain(holder);
    const recipients = await sealedRecipients(await creator.prepare({ ...AIRDROP, creatorWallet: holder }));
    expect(recipients).toEqual(expectedRecipients(101).filter((each) => each !== holder));
  });

  const REFUSED: [string, object, RegExp][] = [
    ['on a standard launch', { mode: 'standard' }, /reward launches only/],
    ['without a mode', { mode: undefined }, /reward launches only/],
    ['a tier without a share', { airdropPercent: undefined, airdropTier: 'top100' }, /need an airdropPercent/],
    [
      'a source without a share',
      { airdropPercent: undefined, airdropSource: 'quote-holders' },
      /need an airdropPercent/,
    ],
    ['a negative share', { airdropPercent: -1 }, /airdropPercent/],
    ['more than half of the supply', { airdropPercent: 50.000001 }, /airdropPercent/],
    ['less than a raw unit for each', { airdropPercent: 0.0000000000000099 }, /too small/],
    ['another tier', { airdropTier: 'top10' }, /airdropTier/],
    ['another source', { airdropSource: 'friends' }, /airdropSource/],
    [
      'a quote token without holders',
      { quoteMint: SEED_PAIRS[0]?.mint.toBase58() },
      /needs 100 eligible holders of USDL, and it has 0;/,
    ],
  ];
  it.each(REFUSED)('refuses %s', async (_what, changes, says) => {
    const answer = await creator.tryPrepare({ ...AIRDROP, ...changes });
    expect(answer).toMatchObject({ http: 400, error: { code: 'invalid_request', retryable: false } });
    expect(answer.error?.message).toMatch(says);
  });
});

describe('a quote whose recipients are not in the database', () => {
  it('launches nothing and charges nobody', async () => {
    const prepared = await creator.prepare(AIRDROP);
    const original = originalOf(prepared);
    const { airdrop } = await termsOf(original);
    const changed = await sealed(original, { airdrop: airdrop && { ...airdrop, recipientsHash: 'ab'.repeat(32) } });
    const answer = await creator.submit({ ...creator.sign(prepared), ...changed });
    expect(answer).toMatchObject({ http: 503, charged: false });
    expect(answer.error?.message).toContain('recipients of the airdrop are not known');
  });

  it('cannot come about by another document under the same hash: the database refuses it', async () => {
    const [row] = await platform.db.selectFrom('recipientSets').selectAll().limit(1).execute();
    const altered = Buffer.from(row!.document.toString().replace(expectedRecipients(1)[0]!, expectedRecipients(2)[1]!));
    expect(() => openRecipients(row!.hash, altered)).toThrow(/are not those that were sealed/);
    const put = platform.db
      .updateTable('recipientSets')
      .set({ document: altered as never })
      .where('hash', '=', row!.hash);
    await expect(put.execute()).rejects.toThrow(/recipient_sets_hash/);
  });
});

/** Judges from the chain alone that everybody has what the share makes for each, less the tax. Answers all other accounts. */
async function expectDelivered(
  { mint, launchWallet, quoteId }: Prepared,
  shareRaw: bigint,
  taxBps: bigint,
): Promise<Held[]> {
  const recipients = expectedRecipients(100);
  const accounts = await accountsOf(platform, mint);
  const each = shareRaw / 100n;
  const tax = (each * taxBps + 9_999n) / 10_000n;
  const held = new Map(accounts.map((account) => [account.address, account]));
  for (const recipient of recipients) {
    const account = accountFor(mint, new PublicKey(recipient)).toBase58();
    expect(held.get(account), recipient).toMatchObject({ owner: recipient, raw: each - tax, withheldRaw: tax });
  }
  const batches = await deliveredBatches(platform, launchWallet, quoteId);
  expect(batches.toSorted((a, b) => a - b)).toEqual(Array.from({ length: batchCount(100) }, (_, index) => index + 1));
  return accounts.filter(({ owner }) => !recipients.includes(owner));
}

/** A stranger proves the airdrop by the sealed document and the chain. */
async function expectProven({ mint }: Prepared): Promise<void> {
  const airdrop = await airdropOf(mint);
  const document = await platform.api.inject(`/documents/${airdrop?.seal?.root}`);
  const question = { mint, source: 'the document', recipientsHash: airdrop?.recipientsHash ?? '' };
  const { rpcEndpoint } = platform.connection;
  const chain = createRpcChain({ urls: [rpcEndpoint, rpcEndpoint] });
  const checks = await verifyAirdrop({ ...question, text: [document.body], chain });
  const names = ['document', 'list', 'launch', 'tax', 'seal', 'order', 'before', 'delivered'];
  expect(checks.map(({ name, status, how }) => [name, status, status === 'proven' ? '' : how])).toEqual([
    ...names.map((name) => [name, 'proven', '']),
    ['ranking', 'unprovable', expect.any(String) as string],
  ]);
}

const emptyWallets = (id: string) => runRound(platform, LAUNCH_WALLETS_ROUND, `launch-wallets-${id}`);

function bodyOf() {
  return { creatorWallet: creator.address.toBase58(), name: 'Harbour Light', symbol: 'HARBOR', logo: LOGO };
}

describe('a reward launch with an airdrop', () => {
  it('brings the first hundred holders their share to the unit, proven to a stranger, and empties the escrow', async () => {
    const { prepared, answer } = await creator.launchToEnd(AIRDROP);
    expect(answer).toMatchObject({ http: 200, data: { status: 'completed' } });
    expect(await airdropOf(prepared.mint)).toMatchObject({
      percent: 10,
      delivery: { status: expect.any(String) as string },
    });
    await untilDelivered(platform, prepared);
    const others = await expectDelivered(prepared, TOTAL_SUPPLY_RAW / 10n, 100n);
    // The pool's vault, and the launch wallet with what the positions' rounding left.
    expect(others).toHaveLength(2);
    const rest = others.find(({ owner }) => owner === prepared.launchWallet);
    expect(rest?.raw).toBeLessThan(1_000_000n);
    const vault = others.find(({ owner }) => owner !== prepared.launchWallet);
    expect((vault?.raw ?? 0n) + (vault?.withheldRaw ?? 0n) + (rest?.raw ?? 0n)).toBe((TOTAL_SUPPLY_RAW * 9n) / 10n);

    await expectProven(prepared);
    await emptyWallets(prepared.quoteId);
    const wallet = new PublicKey(prepared.launchWallet);
    await eventually(async () => ((await platform.connection.getBalance(wallet)) === 0 ? true : null));
    expect((await accountsOf(platform, prepared.mint)).map(({ owner }) => owner)).not.toContain(prepared.launchWallet);
    expect(await airdropOf(prepared.mint)).toMatchObject({
      recipients: 100,
      percent: 10,
      tier: 'top100',
      source: 'quote-holders',
      tokens: 100_000_000,
      delivery: { status: 'delivered', deliveredRecipients: 100, deliveredTokens: 100_000_000 },
      // The names that programs of the field read.
      bps: 1_000,
      percentOfSupply: 10,
      supplyTokens: 100_000_000,
      recipientCount: 100,
      quoteToken: { symbol: expect.any(String) as string },
      settledAt: expect.any(String) as string,
    });
  });

  it('and a dev buy, with recipients and strangers who are in the way, delivers all the same', async () => {
    const held = platform.gate.hold('deliverAirdrop');
    const wish = { ...AIRDROP, airdropPercent: 50, rewardTaxBps: 300, devBuyPercent: 2.5 };
    const { prepared, answer } = await creator.launchToEnd(wish);
    expect(answer).toMatchObject({ http: 200, data: { status: 'completed' } });
    expect(await held.reached).toBe(prepared.quoteId);
    // Nothing may be taken out of the wallet before.
    await emptyWallets(`early-${prepared.quoteId}`);
    expect(await platform.connection.getBalance(new PublicKey(prepared.launchWallet))).toBeGreaterThan(
      0.2 * LAMPORTS_PER_SOL,
    );
    expect(await airdropOf(prepared.mint)).toMatchObject({ delivery: { status: 'waiting', deliveredRecipients: 0 } });
    expect(await holdersOf(prepared.mint)).toContainEqual({ owner: prepared.launchWallet, label: 'escrow' });
    dust(platform, prepared.mint, expectedRecipients(RECIPIENTS_PER_BATCH));
    await demandMemos(platform, prepared.mint, holderKey(20));
    await demandMemos(platform, prepared.mint, holderKey(21));
    held.release();
    await untilDelivered(platform, prepared);
    const others = await expectDelivered(prepared, TOTAL_SUPPLY_RAW / 2n, 300n);
    const own = others.find(({ owner }) => owner === creator.address.toBase58());
    const bought = (TOTAL_SUPPLY_RAW * 25n) / 1_000n;
    expect((own?.raw ?? 0n) + (own?.withheldRaw ?? 0n)).toBe(bought);
    await emptyWallets(prepared.quoteId);
    const rest = await accountsOf(platform, prepared.mint);
    expect(rest.map(({ owner }) => owner)).not.toContain(prepared.launchWallet);
  });

  it('shows it in the ledger and the token', async () => {
    const Launch = Type.Object({ airdrop: Type.Union([Type.Null(), AirdropTermsAnswer]), mint: Type.String() });
    const { launches } = await read(
      `/launches?creator=${creator.address.toBase58()}`,
      Type.Object({ launches: Type.Array(Launch) }),
    );
    expect(launches.map(({ airdrop }) => airdrop?.percent)).toEqual([50, 10]);
    const { launch } = await read(`/tokens/${launches[0]?.mint}`, Type.Object({ launch: Launch }));
    expect(launch.airdrop).toMatchObject({ recipients: 100, percent: 50, tokens: 500_000_000 });
  });
});

describe('GET /tokens/{mint}/airdrop', () => {
  it('answers null for a token without one, and 404 for a token that is not known', async () => {
    const { prepared } = await creator.launchToEnd();
    expect(await airdropOf(prepared.mint)).toBeNull();
    expect(await statusOf(`/tokens/${HELD.mint.toBase58()}/airdrop`)).toBe(404);
    expect(await statusOf(`/tokens/${holderKey(1).publicKey.toBase58()}/airdrop`)).toBe(404);
    expect(await statusOf('/tokens/nonsense/airdrop')).toBe(400);
  });

  it('does not exist while airdrops are switched off; neither do the fields', async () => {
    const page = await listTokens(platform.db, {}, 'newest', { page: 1, pageSize: 1 });
    const [token] = page.tokens;
    expect(await documentedPaths()).toContain('airdropPercent');
    await switches.set(platform.db, 'airdrops', 'off', { actor: 'test' });
    try {
      expect(await statusOf(`/tokens/${token?.mint}/airdrop`)).toBe(404);
      for (const field of [{ airdropPercent: 1 }, { airdropTier: 'top100' }, { airdropSource: 'quote-holders' }]) {
        const answer = await creator.tryPrepare({ mode: 'reward', ...field });
        expect(answer).toMatchObject({ http: 503, error: { code: 'service_unavailable', retryable: false } });
      }
      const document = await eventually(async () => {
        const text = await documentedPaths();
        return text.includes('airdropPercent') ? null : text;
      });
      expect(document).not.toContain('/tokens/{mint}/airdrop');
      expect(document).not.toContain('airdropTier');
    } finally {
      await switches.set(platform.db, 'airdrops', 'on', { actor: 'test' });
    }
  });
});
