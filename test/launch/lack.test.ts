import { describe, expect, it } from 'vitest';
import { type Held, lackOf } from '../../activities/launch/lack.ts';
import { transaction } from '../../db/connect.ts';
import { timedBalance } from '../../db/inventory/stock.ts';
import { insertIntake } from '../../db/launch/launch-intake.ts';
import { transitionLaunch } from '../../db/launch/launch-transition.ts';
import * as launches from '../../db/launch/launches.ts';
import * as prices from '../../db/prices/prices.ts';
import type { LaunchTerms } from '../../domain/launch/terms.ts';
import { tokenBalance } from '../../domain/token-balance.ts';
import { insertPairs } from '../support/db/pair-rows.ts';
import { useDatabase } from '../support/db/use-database.ts';
import { address, bringTo, intakeOf, launchTerms, signature } from '../support/launch/launch-rows.ts';

const { db } = useDatabase();

const TOKEN = 1_000_000n;
const PAYMENT = BigInt(launchTerms().payment.lamports);
const ENOUGH = 3n * PAYMENT;

async function pair(): Promise<string> {
  const mint = address();
  await insertPairs(db(), `test-${mint}`, [mint]);
  await prices.record(db(), [{ mint, usd: '1', source: 'jupiter', observedAt: new Date() }]);
  return mint;
}

/** A submitted launch, whose dev buy takes so many whole quote tokens of the pair. */
async function submitted(creator: string, buys?: { readonly mint: string; readonly tokens: bigint }) {
  const quoteToken = { mint: buys?.mint ?? address(), symbol: 'THIN', decimals: 6, tokenProgram: address() };
  const maxQuoteRaw = String((buys?.tokens ?? 0n) * TOKEN);
  const devBuy = buys ? { tokensRaw: '1', netTokensRaw: '1', maxQuoteRaw, lamports: '1' } : null;
  const terms = launchTerms({ creator, quoteToken, devBuy });
  await insertIntake(db(), intakeOf(terms));
  return terms;
}

/** What the treasury holds at present. */
async function stockOf(tokens: bigint): Promise<NonNullable<Held['stock']>> {
  const reading = await timedBalance(db(), () => Promise.resolve(tokenBalance('open', tokens * TOKEN)));
  return { ...reading, most: reading.balance };
}

const deps = { devBuyHourUsd: '1000000' } as never;
const lack = (terms: LaunchTerms, held: Held) => transaction(db(), (tx) => lackOf(tx, deps, terms, held));
const sign = ({ quoteId }: LaunchTerms) => transitionLaunch(db(), quoteId, ['received'], 'preparing');

describe('what a launch lacks when it is signed', () => {
  it('is nothing where the wallet can pay and the stock can serve', async () => {
    const terms = await submitted(address(), { mint: await pair(), tokens: 10n });
    expect(await lack(terms, { lamports: ENOUGH, stock: await stockOf(10n) })).toBeUndefined();
    expect(await lack(await submitted(address()), { lamports: ENOUGH, stock: null })).toBeUndefined();
  });

  it('is SOL for a launch of the same wallet that was signed since the balance was read', async () => {
    const creator = address();
    const [first, second] = [await submitted(creator), await submitted(creator)];
    const held = { lamports: PAYMENT + PAYMENT / 2n, stock: null };
    expect(await lack(first, held)).toBeUndefined();
    await sign(second);
    expect(await lack(first, held)).toContain('its launches that are not paid yet take');
    expect(await lack(first, { ...held, lamports: ENOUGH })).toBeUndefined();
  });

  it('is stock that another launch took since the balance was read', async () => {
    const mint = await pair();
    const [first, second] = [
      await submitted(address(), { mint, tokens: 60n }),
      await submitted(address(), { mint, tokens: 60n }),
    ];
    const held = { lamports: ENOUGH, stock: await stockOf(100n) };
    expect(await lack(first, held)).toBeUndefined();
    await sign(second);
    expect(await lack(first, held)).toContain('out of stock');
  });

  it('is the SOL, where both lack', async () => {
    const terms = await submitted(address(), { mint: await pair(), tokens: 60n });
    expect(await lack(terms, { lamports: PAYMENT / 2n, stock: await stockOf(1n) })).toContain('the payment takes');
  });

  it('is never found twice at once: the second of two waits until the first is signed', async () => {
    const creator = address();
    const both = [await submitted(creator), await submitted(creator)];
    const found = await Promise.all(
      both.map((terms) =>
        transaction(db(), async (tx) => {
          const lacking = await lackOf(tx, deps, terms, { lamports: PAYMENT + PAYMENT / 2n, stock: null });
          if (lacking === undefined) await transitionLaunch(tx, terms.quoteId, ['received'], 'preparing');
          return lacking;
        }),
      ),
    );
    expect(found.filter((lacking) => lacking === undefined)).toHaveLength(1);
  });
});

describe('a launch that a fork reverted after it was completed', () => {
  it('is completed when it is completed again, and takes stock of every balance that was read before', async () => {
    const mint = await pair();
    const terms = await submitted(address(), { mint, tokens: 60n });
    const landed = () => ({ paymentSignature: signature(), slot: 1n, launchedAt: new Date() });
    await bringTo(db(), terms.quoteId, 'completed', landed());
    const first = await launches.byQuoteId(db(), terms.quoteId);
    await transitionLaunch(db(), terms.quoteId, ['completed'], 'landing', { paymentSignature: null });
    // The fork gave the treasury its tokens back.
    const stock = await stockOf(100n);
    await transitionLaunch(db(), terms.quoteId, ['landing'], 'recording');
    await transitionLaunch(db(), terms.quoteId, ['recording'], 'completed', landed());
    const again = await launches.byQuoteId(db(), terms.quoteId);
    expect(again?.completedAt?.getTime()).toBeGreaterThan(first?.completedAt?.getTime() ?? 0);
    const next = await submitted(address(), { mint, tokens: 60n });
    expect(await lack(next, { lamports: ENOUGH, stock })).toContain('out of stock');
    expect(await lack(next, { lamports: ENOUGH, stock: await stockOf(100n) })).toBeUndefined();
  });
});
