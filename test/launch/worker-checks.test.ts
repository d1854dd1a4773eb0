import { Keypair, PublicKey } from '@solana/web3.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkAirdrop } from '../../activities/launch/authority/check-price.ts';
import { storedTermsRefusal } from '../../activities/launch/authority/refusal-of.ts';
import type { Landed } from '../../activities/launch/authority/refuse.ts';
import { poolSupplyRaw, quoteTokenOf } from '../../chain/launch/pool-request.ts';
import type { LaunchRecord } from '../../db/launch/launch-records.ts';
import * as launches from '../../db/launch/launches.ts';
import * as pairs from '../../db/pairs.ts';
import type { LaunchTerms } from '../../domain/launch/terms.ts';
import { OPENING_MARKET_CAP_USD } from '../../domain/token-facts.ts';
import { launchWorkflowId } from '../../workflows/launch/messages.ts';
import { eventually } from '../support/platform/eventually.ts';
import { sealerOf, submitForged } from '../support/launch/forged-quote.ts';
import { traceOf } from '../support/platform/chain-facts.ts';
import { type Creator, createCreator, type Prepared } from '../support/platform/creator.ts';
import { launchDepsOf } from '../support/platform/launch-deps.ts';
import { makeListedToken } from '../support/platform/listed-token.ts';
import { localPair } from '../support/platform/local-pair.ts';
import { type Platform, startPlatform } from '../support/platform/platform.ts';

let platform: Platform;
let creator: Creator;
let deps: ReturnType<typeof launchDepsOf>;
beforeAll(async () => {
  platform = await startPlatform();
  creator = await createCreator(platform, 5);
  deps = launchDepsOf(platform);
});
afterAll(async () => {
  deps.close();
  await platform.close();
});

const termsOf = ({ signedQuote }: Prepared) => sealerOf(platform).open(signedQuote);

describe('rent that changed between quote and payment', () => {
  const AIRDROP = { quoteMint: localPair('CORAL').mint.toBase58(), mode: 'reward', airdropPercent: 5 };

  /** Checks an airdrop while an account's rent is so many times that of its quote. */
  async function checked(terms: LaunchTerms, times: bigint, landed: Landed): Promise<void> {
    const { builder } = deps;
    const rentFor = async (bytes: number) => (await builder.rentFor(bytes)) * times;
    await checkAirdrop({ ...deps, builder: { ...builder, rentFor } }, terms, landed);
  }

  it('refuses a quote that nobody has paid, and never one that was paid', async () => {
    const terms = await termsOf(await creator.prepare(AIRDROP));
    await checked(terms, 1n, 'nothing');
    await expect(checked(terms, 2n, 'nothing')).rejects.toThrow(/^delivery fee \d+ was proposed, and \d+ is right$/);
    await checked(terms, 2n, 'payment');
    await checked(terms, 2n, 'all');
  });
});

describe('what is checked before a refund', () => {
  const refusal = (launch: LaunchRecord, what: 'refund' | 'rest') => storedTermsRefusal(deps, launch, what);

  /** A stored launch of these terms, with the payment that the creator signed. */
  function stored(prepared: Prepared, terms: LaunchTerms): LaunchRecord {
    const submittedWire = Buffer.from(creator.sign(prepared).signedTransaction, 'base64');
    return { quoteId: terms.quoteId, terms, submittedWire } as unknown as LaunchRecord;
  }

  it('is whose payment it was, not the rules of today for what it paid for', async () => {
    const prepared = await creator.prepare();
    const terms = await termsOf(prepared);
    for (const what of ['refund', 'rest'] as const) expect(refusal(stored(prepared, terms), what)).toBeUndefined();
    const items = [{ item: 'launch', lamports: '1' }] as const;
    const repriced = stored(prepared, { ...terms, payment: { ...terms.payment, items } });
    expect(refusal(repriced, 'refund')).toBeUndefined();
    expect(refusal(repriced, 'rest')).toContain('price launch:1 was proposed');
  });

  it.each<[string, (terms: LaunchTerms) => Partial<LaunchTerms>, string]>([
    ['another creator', () => ({ creator: Keypair.generate().publicKey.toBase58() }), 'payment message'],
    [
      'a larger payment',
      ({ payment }) => ({ payment: { ...payment, lamports: (BigInt(payment.lamports) * 2n).toString() } }),
      'payment message',
    ],
    [
      'another launch wallet',
      ({ addresses }) => ({ addresses: { ...addresses, launchWallet: Keypair.generate().publicKey.toBase58() } }),
      'addresses',
    ],
  ])('is that stored terms do not name %s', async (_what, change, says) => {
    const prepared = await creator.prepare();
    const terms = await termsOf(prepared);
    const altered = stored(prepared, { ...terms, ...change(terms) });
    expect(refusal(altered, 'refund')).toContain(says);
  });
});

describe('terms that differ from those that the signed bundle names', () => {
  it('are not stored, and nothing of the launch is sent until they are the sealed ones again', async () => {
    const prepared = await creator.prepare();
    const held = platform.gate.hold('storeMetadata');
    const pending = creator.submit(creator.sign(prepared));
    await held.reached;
    const sealed = (await launches.byQuoteId(platform.db, prepared.quoteId))!.terms;
    const { opening } = sealed;
    await setTerms({ ...sealed, opening: { ...opening, quotePriceUsd: `${opening.quotePriceUsd}1` } });
    held.release();
    const names = `the signed bundle of launch ${prepared.quoteId} names other terms than its own in the store`;
    await eventually(async () => (await failures(prepared)).find((one) => one.includes(names)) ?? null, names);
    expect(await traceOf(platform, prepared)).toMatchObject({ wallet: null, token: null, transactions: 0 });
    await setTerms(sealed);
    expect(await pending).toMatchObject({ http: 200, data: { status: 'completed' } });
  });

  async function setTerms(terms: LaunchTerms): Promise<void> {
    const row = platform.db.updateTable('launches').where('quoteId', '=', terms.quoteId);
    await row.set({ terms: JSON.stringify(terms) as never }).execute();
  }

  /** The last failure of each activity that the launch's run waits for. */
  async function failures({ quoteId }: Prepared): Promise<string[]> {
    const { raw } = await platform.client.workflow.getHandle(launchWorkflowId(quoteId)).describe();
    return (raw.pendingActivities ?? []).map(({ lastFailure }) => lastFailure?.message ?? '');
  }
});

describe('a quote that prepare never gives', () => {
  /** Terms of a launch with another pair, planned at its price. */
  async function withPair(terms: LaunchTerms, mint: string, usd: string): Promise<Partial<LaunchTerms>> {
    const { symbol, decimals, tokenProgram } = (await pairs.byMint(platform.db, mint))!;
    const quoteToken = { mint, symbol, decimals, tokenProgram };
    const request = {
      baseMint: new PublicKey(terms.addresses.mint),
      quote: quoteTokenOf({ quoteToken }),
      poolFeeTier: '1%' as const,
      quotePriceUsd: usd,
      openingMarketCapUsd: OPENING_MARKET_CAP_USD,
    };
    const fees = await platform.exchange.poolFees('1%');
    return { quoteToken, opening: platform.exchange.planLaunch(request, fees, terms.fee, poolSupplyRaw(0n)).opening };
  }

  it.each([
    [0, '60000', 'its pool would open at 0.000000 USD instead of 5000'],
    [0, '1', 'which rounds its price by more than 1 %'],
  ])('for a pair of %s decimals at %s USD is signed by no worker', async (decimals, usd, says) => {
    const mint = await makeListedToken(platform, decimals, usd);
    const prepared = await creator.prepare();
    const answer = await submitForged(platform, creator, prepared, (terms) => withPair(terms, mint, usd));
    expect(answer).toMatchObject({ http: 503, charged: false });
    expect(answer.error?.message).toContain(says);
    expect(await traceOf(platform, prepared)).toEqual({ wallet: null, token: null, transactions: 0, ledger: [] });
  });
});
