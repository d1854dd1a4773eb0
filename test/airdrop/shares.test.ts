import { describe, expect, it } from 'vitest';
import { batchCount, planAirdrop, RECIPIENTS_PER_BATCH } from '../../domain/airdrop/airdrop.ts';
import { tokensOfPercent } from '../../domain/launch/dev-buy.ts';
import { AIRDROP_MAX_BPS, AIRDROP_RECIPIENTS, AIRDROP_TIERS, TOTAL_SUPPLY_RAW } from '../../domain/token-facts.ts';
import { parseRecipientDocument, recipientDocument, type RecipientSet } from '../../domain/airdrop/recipient-set.ts';

const walletsOf = (count: number) => Array.from({ length: count }, (_, index) => `wallet-${index}`);

/** A few hundred shares over the whole range, the ends among them; always the same ones. */
function sharesFor(recipients: number): bigint[] {
  const most = (TOTAL_SUPPLY_RAW * BigInt(AIRDROP_MAX_BPS)) / 10_000n;
  const drawn = Array.from(
    { length: 60 },
    (_, index) => (most * BigInt((index * 7_919) % 10_007)) / 10_007n + BigInt(index),
  );
  return [BigInt(recipients), BigInt(recipients) + 1n, most - 1n, most, ...drawn].filter(
    (share) => share >= BigInt(recipients),
  );
}

describe.each(AIRDROP_TIERS)('the plan of an airdrop to %s', (tier) => {
  const recipients = AIRDROP_RECIPIENTS[tier];
  const plans = sharesFor(recipients).map((shareRaw) => ({
    shareRaw,
    shares: planAirdrop(shareRaw, walletsOf(recipients)),
  }));

  it('gives away exactly the share', () => {
    for (const { shareRaw, shares } of plans) {
      expect(shares.reduce((sum, { amountRaw }) => sum + amountRaw, 0n)).toBe(shareRaw);
    }
  });

  it('gives everybody the same, and the first of the ranking what cannot be shared', () => {
    for (const { shareRaw, shares } of plans) {
      const [each, rest] = [shareRaw / BigInt(recipients), Number(shareRaw % BigInt(recipients))];
      const amounts = shares.map(({ amountRaw }) => amountRaw);
      expect(amounts).toEqual(amounts.map((_, position) => (position < rest ? each + 1n : each)));
      expect(amounts.every((amount) => amount > 0n)).toBe(true);
    }
  });

  it('names every wallet once, in full transactions but for the last', () => {
    const [{ shares } = { shares: [] }] = plans;
    expect(shares.map(({ wallet }) => wallet)).toEqual(walletsOf(recipients));
    const batches = [...Map.groupBy(shares, ({ batch }) => batch)];
    expect(batches.map(([batch]) => batch)).toEqual(
      Array.from({ length: batchCount(recipients) }, (_, index) => index + 1),
    );
    expect(batches.slice(0, -1).every(([, of]) => of.length === RECIPIENTS_PER_BATCH)).toBe(true);
    expect(batches.at(-1)?.[1].length).toBe(recipients % RECIPIENTS_PER_BATCH || RECIPIENTS_PER_BATCH);
  });

  it('is the same every time', () => {
    for (const { shareRaw, shares } of plans.slice(0, 3)) {
      expect(planAirdrop(shareRaw, walletsOf(recipients))).toEqual(shares);
    }
  });

  it('is refused where there is not a raw unit for each', () => {
    expect(() => planAirdrop(BigInt(recipients) - 1n, walletsOf(recipients))).toThrow(/cannot be shared/);
  });
});

describe('a share in percent', () => {
  it.each([
    ['50', TOTAL_SUPPLY_RAW / 2n],
    ['12.5', TOTAL_SUPPLY_RAW / 8n],
    ['0.1', TOTAL_SUPPLY_RAW / 1_000n],
    ['33.333333333333336', 333_333_333_333_333_360n],
    ['0.0000000000000001', 1n],
    ['49.9999999999999999', 499_999_999_999_999_999n],
  ])('of %s is exact', (percent, raw) => {
    expect(tokensOfPercent(percent)).toBe(raw);
  });
});

describe('the document of a recipient set', () => {
  const base58 = (index: number) => `${'1'.repeat(28)}${String(index).padStart(4, '1').replaceAll('0', 'z')}`;
  const set: RecipientSet = {
    version: 1,
    source: 'quote-holders',
    tier: 'top100',
    quoteMint: base58(5_000),
    slot: 77,
    recipients: Array.from({ length: 100 }, (_, index) => base58(index + 1_111)),
  };

  it('says all of it, and reads back as it was', () => {
    expect(parseRecipientDocument(recipientDocument(set))).toEqual(set);
  });

  it.each([
    ['a wallet less', { recipients: set.recipients.slice(1) }, /99 different wallets, not 100/],
    ['a wallet twice', { recipients: [...set.recipients.slice(1), set.recipients[1]!] }, /99 different wallets/],
    ['another tier', { tier: 'top1000' as const }, /not 1000/],
    ['what is no address', { recipients: set.recipients.with(3, 'nobody') }, /malformed at "\/recipients\/3"/],
    ['another source', { source: 'friends' as never }, /malformed at "\/source"/],
  ])('is refused with %s', (_what, change, says) => {
    expect(() => parseRecipientDocument(recipientDocument({ ...set, ...change }))).toThrow(says);
  });

  it('is refused with anything beside it', () => {
    const text = JSON.stringify({ ...set, amounts: [] });
    expect(() => parseRecipientDocument(text)).toThrow(/malformed/);
  });
});
