import { createHash } from 'node:crypto';
import { AuthorityType, createSetAuthorityInstruction, createSetTransferFeeInstruction } from '@solana/spl-token';
import { type Keypair, PublicKey, SystemProgram } from '@solana/web3.js';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { deriveReceiptKey } from '../../chain/keys/receipt-key.ts';
import type { TokenInfo } from '../../chain/tokens/token.ts';
import type { SlipwayEvent } from '../../client/index.ts';
import { createEventVerifier } from '../../client/verify/event/verify-events.ts';
import { verifyLaunch } from '../../client/verify/launch/verify-launch.ts';
import { verifyReceipt } from '../../client/verify/receipt/verify-receipt.ts';
import type { WalletEntry } from '../../client/verify/wallets/wallet-list.ts';
import { type ReceiptEnd, type ReceiptSubject, receiptText } from '../../domain/launch/receipt.ts';
import { type LandedLaunch, landLaunch, type LaunchFacts, PAID_LAMPORTS } from '../support/proof/landed-launch.ts';
import { expectNamed, type Named } from '../support/proof/named.ts';
import { scriptedLog } from '../support/proof/scripted-log.ts';
import { type Landing, openAccount, startTheftGround, type TheftGround } from '../support/proof/theft-ground.ts';

let ground: TheftGround;
let quote: TokenInfo;
beforeAll(async () => {
  ground = await startTheftGround();
  quote = await ground.makeToken();
});
afterAll(() => ground.close());

/** What `verify launch` says, but for the liquidity, which has tests of its own. */
async function launchChecks({ coin }: Pick<LandedLaunch, 'coin'>) {
  ground.age();
  const checks = await verifyLaunch({ launch: coin.mint.toBase58(), chain: ground.strangers() });
  return checks.filter(({ name }) => name !== 'liquidity');
}

describe('verify launch', () => {
  it('proves an honest launch', async () => {
    expectNamed(await launchChecks(await landLaunch(ground)), []);
  });

  it.each<[string, NonNullable<LaunchFacts['paysFor']>, string]>([
    [
      '32: a payment with a second transfer to a friend',
      ({ publicKey }) => [
        SystemProgram.transfer({ fromPubkey: publicKey, toPubkey: ground.bank.publicKey, lamports: 9 }),
      ],
      'the payment moves something else',
    ],
    [
      '32: a payment that also pays for a friend’s account',
      ({ publicKey }) => [openAccount(publicKey, quote, ground.newWallet().publicKey)],
      'the creator paid something else',
    ],
  ])('%s: is named', async (_what, paysFor, how) => {
    expectNamed(await launchChecks(await landLaunch(ground, { paysFor })), [['bundle', how]]);
  });

  it('23: a tax that a friend may raise, and one that was raised before the right was given up, are named', async () => {
    const friend = ground.newWallet();
    const tax = { bps: 100, withdrawAuthority: friend.publicKey, authority: friend.publicKey };
    const launched = await landLaunch(ground, { tax });
    expectNamed(await launchChecks(launched), [['mint', 'the tax can change']]);
    const { mint, tokenProgram } = launched.coin;
    const right = AuthorityType.TransferFeeConfig;
    await ground.land(friend, [
      createSetTransferFeeInstruction(mint, friend.publicKey, [], 900, 10n ** 14n, tokenProgram),
      createSetAuthorityInstruction(mint, friend.publicKey, right, null, [], tokenProgram),
    ]);
    expectNamed(await launchChecks(launched), [['mint', 'the tax changes']]);
  });

  it('23: a tax that a friend could raise until the right was given up is named', async () => {
    const friend = ground.newWallet();
    const tax = { bps: 100, withdrawAuthority: friend.publicKey, authority: friend.publicKey };
    const launched = await landLaunch(ground, { tax });
    const { mint, tokenProgram } = launched.coin;
    const right = AuthorityType.TransferFeeConfig;
    // A tax that was raised two epochs before looks like one of the launch, too.
    await ground.land(friend, [createSetAuthorityInstruction(mint, friend.publicKey, right, null, [], tokenProgram)]);
    expectNamed(await launchChecks(launched), [['mint', 'the tax could change after the launch']]);
  });
});

describe('the events of a dev buy', () => {
  const [QUOTE_RAW, COIN_RAW] = [500n, 40_000n];

  /** A launch whose creator bought coins, and what its event says. */
  async function checkOf(said: Partial<NonNullable<SlipwayEvent['trade']>>) {
    const treasury = ground.newWallet();
    await ground.give(quote, treasury.publicKey, QUOTE_RAW);
    const launched = await landLaunch(ground, { devBuy: { quote, treasury, quoteRaw: QUOTE_RAW, coinRaw: COIN_RAW } });
    ground.age();
    const { creator, coin, steps } = launched;
    const [, , pool] = steps as [Landing, Landing, Landing];
    const [wallet, recordedAt] = [creator.publicKey.toBase58(), '2026-01-01T00:00:00.000Z'];
    // The creator gets the coins less the tax of the transfer.
    const trade = {
      ...pool,
      index: 0,
      tradedAt: recordedAt,
      side: 'buy' as const,
      amountRaw: String(COIN_RAW),
      quoteRaw: String(QUOTE_RAW),
      quoteMint: quote.mint.toBase58(),
      amountTokens: 0.04,
      quoteTokens: 0.0005,
      priceQuote: 0.0125,
      priceUsd: null,
      valueUsd: null,
      ...said,
    };
    const subject = { mint: coin.mint.toBase58(), wallet, creator: wallet, recordedAt };
    const event = (id: string, facts: Partial<SlipwayEvent>) => ({
      id,
      type: 'switch.changed' as const,
      ...subject,
      ...facts,
    });
    const events = [event('a', {}), event('b', { type: 'trade.final', trade }), event('c', {})];
    const found = await createEventVerifier(ground.strangers()).verify(events);
    return { checks: found.flatMap(({ check }) => check ?? []), launched };
  }

  it('are proven where the creator got what is stated', async () => {
    const { checks, launched } = await checkOf({});
    expectNamed(checks, []);
    expectNamed(await launchChecks(launched), []);
  });

  it('32: of which the creator got less than was paid for, are named', async () => {
    const { checks } = await checkOf({ amountRaw: String(COIN_RAW + 10_000n), quoteRaw: String(QUOTE_RAW + 125n) });
    expectNamed(checks, [['trade.final', 'the wallet got another amount of']]);
  });
});

describe('verify receipt', () => {
  const key = () =>
    deriveReceiptKey(
      { id: 'seed-1', secret: new Uint8Array(32).fill(7) },
      { environment: 'test', genesisHash: ground.genesisHash },
    );

  interface Claim {
    /** Changes what the receipt says. */
    readonly says?: (end: Extract<ReceiptEnd, { kind: 'completed' }>) => ReceiptEnd;
    readonly subject?: Partial<ReceiptSubject>;
    /** Changes the bytes behind the signature. */
    readonly altered?: (receipt: string) => string;
    /** Digests of the log that has the receipt; null: it is in none. */
    readonly digests?: readonly string[] | null;
    /** Logs without it that are sealed later. */
    readonly later?: number;
    readonly keys?: (keys: readonly WalletEntry[]) => readonly WalletEntry[];
    /** A refund that the launch wallet makes, lamports. */
    readonly refund?: bigint;
  }

  async function verified({ says, subject, altered, digests, later = 0, keys, refund }: Claim) {
    const { quoteId, creator, launchWallet, coin, steps } = await landLaunch(ground);
    const platform = ground.newWallet();
    const { seal } = await ground.createSealer(platform);
    const [payment] = steps as [Landing, ...Landing[]];
    const place = { environment: 'test', genesisHash: ground.genesisHash };
    const whose = {
      quoteId,
      creator: creator.publicKey.toBase58(),
      launchWallet: launchWallet.publicKey.toBase58(),
      paymentSignature: payment.signature,
    };
    const completed = {
      kind: 'completed' as const,
      lamports: String(PAID_LAMPORTS),
      mint: coin.mint.toBase58(),
      slot: payment.slot,
      signatures: steps.map(({ signature }) => signature),
    };
    const paidBack = refund === undefined ? null : await refundOf(launchWallet, creator, refund);
    const end = paidBack ?? says?.(completed) ?? completed;
    const honest = key().receiptFor(receiptText({ ...place, ...whose, ...end, ...subject }));
    const text = altered?.(honest) ?? honest;
    const digest = createHash('sha256').update(honest).digest('hex');
    const receiptKey = key().address;
    const log = scriptedLog({ genesisHash: ground.genesisHash, receiptKey, digests: digests ?? [digest] });
    if (digests !== null) await seal(log.root, keyAddress());
    for (let n = 0; n < later; n++) {
      // Two hours, and then half an hour each.
      ground.control.skipNextSlots(n === 0 ? 18_100 : 4_600);
      ground.advance(3);
      const slot = await ground.slot('finalized');
      await seal(scriptedLog({ genesisHash: ground.genesisHash, receiptKey, number: n + 1, slot }).root, keyAddress());
    }
    ground.advance(250);
    const used = { mint: null, event: 'used', slot: 1, notedAt: '2026-11-21T12:00:00.000Z' } as const;
    const listed: WalletEntry[] = [
      { ...used, number: 1, role: 'receipts', address: receiptKey },
      { ...used, number: 2, role: 'platform', address: platform.publicKey.toBase58() },
    ];
    return verifyReceipt({
      text: () => Promise.resolve(text),
      source: 'the receipt',
      chain: ground.strangers(),
      keys: () => Promise.resolve(keys?.(listed) ?? listed),
      log: () => Promise.resolve(digests === null ? null : { text: [log.text], source: 'the log' }),
    });
  }

  const keyAddress = () => new PublicKey(key().address);

  async function refundOf(launchWallet: Keypair, creator: Keypair, lamports: bigint): Promise<ReceiptEnd> {
    const [fromPubkey, toPubkey] = [launchWallet.publicKey, creator.publicKey];
    const back = SystemProgram.transfer({ fromPubkey, toPubkey, lamports });
    const { signature } = await ground.land(ground.bank, [back], [launchWallet]);
    return { kind: 'refunded', lamports: String(PAID_LAMPORTS), refundSignature: signature };
  }

  const notCharged = (): ReceiptEnd => {
    return { kind: 'notCharged', blockhash: ground.genesisHash, lastValidBlockHeight: 1 };
  };

  it('proves an honest one', async () => {
    expectNamed(await verified({}), []);
  });

  it.each<[string, Claim, readonly Named[]]>([
    [
      '32: of another amount than was paid',
      { says: (end) => ({ ...end, lamports: '1' }) },
      [['chain', 'has another lamports']],
    ],
    [
      '32: of a refund that gave less back',
      { refund: PAID_LAMPORTS },
      [['chain', 'less was given back than was paid']],
    ],
    [
      '35: of another quote',
      { subject: { quoteId: '07b1e5fa-5fdf-4cc8-83ce-2e2174a98464' } },
      [['chain', 'the launch has another quoteId']],
    ],
    [
      '35: that was altered',
      {
        altered: (receipt) => {
          const [head, body = '', signature] = receipt.split('.');
          const said = Buffer.from(body, 'base64url').toString().replace(String(PAID_LAMPORTS), '1');
          return [head, Buffer.from(said).toString('base64url'), signature].join('.');
        },
      },
      [
        ['signature', 'its signature is not of its bytes'],
        ['chain', 'has another lamports'],
        ['log', 'the log does not have the receipt'],
      ],
    ],
    [
      '35: of a foreign key',
      {
        keys: (keys) =>
          keys.map((one) => (one.role === 'receipts' ? { ...one, address: one.address.replace(/.$/, 'x') } : one)),
      },
      [['key', 'a foreign key signed it']],
    ],
    ['35: that is not in the log', { digests: ['ab'.repeat(32)] }, [['log', 'the log does not have the receipt']]],
    ['35: that none of two later logs has', { digests: null, later: 2 }, [['log', 'no log behind slot']]],
    [
      '35: of a retired key, in no log',
      { digests: null, keys: (keys) => [...keys, { ...keys[0]!, number: 3, event: 'retired', slot: 2 }] },
      [['log', 'is retired since slot 2']],
    ],
    [
      '36: that says not charged, of a payment that landed',
      { says: notCharged },
      [['chain', 'the launch was paid for']],
    ],
    [
      '36: that says not charged, of a payment that landed under another signature',
      {
        says: notCharged,
        subject: { paymentSignature: '1'.repeat(64) },
      },
      [['chain', 'the launch was paid for']],
    ],
  ])('%s: is named', async (_what, claim, differences) => {
    expectNamed(await verified(claim), differences);
  });
});
