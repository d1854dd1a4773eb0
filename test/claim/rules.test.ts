import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import * as claims from '../../db/claim/claims.ts';
import { CLAIM_STATES, isClaimSettled, mayClaimFollow } from '../../domain/claim/state.ts';
import { basePriceUsd, usdValue } from '../../domain/usd-value.ts';
import { createExplainer } from '../support/db/explainer.ts';
import { useDatabase } from '../support/db/use-database.ts';

const { db, url } = useDatabase();

describe('the life of a claim', () => {
  it('is the same in the domain and in the database', async () => {
    const { rows } = await sql<{ definition: string }>`
      select pg_get_constraintdef(oid) as definition from pg_constraint where conname = 'claim_intents_state'`.execute(
      db(),
    );
    const allowed = [...rows[0]!.definition.matchAll(/'(\w+)'::text/g)].map(([, state]) => state);
    expect(allowed.sort()).toEqual([...CLAIM_STATES].sort());
  });

  it('never signs what was refused or expired, and never takes back what is final', () => {
    for (const state of ['refused', 'expired', 'finalized', 'not_landed'] as const) {
      expect(isClaimSettled(state)).toBe(true);
      expect(CLAIM_STATES.filter((next) => mayClaimFollow(state, next))).toEqual([]);
    }
    expect(CLAIM_STATES.filter((state) => mayClaimFollow(state, 'relaying'))).toEqual(['submitted', 'relayed']);
    expect(CLAIM_STATES.filter((state) => mayClaimFollow(state, 'expired'))).toEqual(['issued']);
  });

  it('refuses a transition that it does not have', async () => {
    const id = '00000000-0000-4000-8000-000000000001';
    await expect(claims.transition(db(), id, ['expired'], 'relaying')).rejects.toThrow(
      /cannot go from expired to relaying/,
    );
  });

  it('is looked up by indexes', async () => {
    const fee = (column: string) => sql.raw(`'${column}-' || n`);
    await sql`insert into tokens (mint, name, symbol, decimals, logo_url, metadata_uri, url, pool, quote_mint, quote_symbol,
        creator, mode, fee_tier, pool_fee_percent, links, created_at, created_slot)
      select ${fee('mint')}, 'name', 'S', 9, '', '', '', ${fee('pool')}, 'quote', 'Q', 'creator', 'standard', '1%', 1, '{}', now(), 1
      from generate_series(1, 2000) as n`.execute(db());
    await sql`insert into claim_intents (intent_id, mint, wallet, fee_key_mint, nonce_account, nonce, message, base_raw, quote_raw,
        issued_slot, holds_fee_key, state, signature, expires_at)
      select gen_random_uuid(), 'mint-' || 1 + n % 2000, 'wallet', 'k', 'a', 'n', '', 0, 0, 1, true,
        case when n % 100 = 0 then 'issued' else 'finalized' end, case when n % 100 = 0 then null else 'sig-' || n end, now() + interval '1 day'
      from generate_series(1, 20000) as n`.execute(db());
    await sql`vacuum analyze`.execute(db());
    const explainer = createExplainer(url());
    for (const read of [
      () => claims.openOf(explainer.db, 'mint-7', 'wallet', 60_000),
      () => claims.idle(explainer.db, 0, null, 100),
      () => claims.idle(explainer.db, 0, '00000000-0000-4000-8000-000000000001', 100),
      () => claims.bySignature(explainer.db, 'sig-7'),
      () => claims.newest(explainer.db, {}, 50),
      () => claims.newest(explainer.db, { mint: 'mint-7' }, 20),
      () => claims.newest(explainer.db, { states: ['killing'] }, 20),
    ]) {
      const plans = await explainer.plansOf(read);
      expect(plans).not.toContain('Seq Scan');
      expect(plans).toContain('Scan');
    }
    await explainer.db.destroy();
  });
});

describe('what fees are worth', () => {
  it.each([
    [1_500_000n, 6, '1', '1.5'],
    [1n, 9, '0.000005', '0'],
    [123_456_789n, 9, '2.5', '0.308641'],
    [10n ** 19n, 0, '64250.5', '642505000000000000000000'],
  ])('%d raw units of %d decimals at %s USD are %s', (raw, decimals, price, usd) => {
    expect(usdValue(raw, decimals, price)).toBe(usd);
  });

  it('the base price is that of the pool, in both orders of the mints', () => {
    // 0.005 raw quote units (6 decimals) for one raw base unit (9 decimals): 5 quote tokens.
    const zero = BigInt(Math.round(Math.sqrt(0.005) * 2 ** 52)) << 12n;
    const one = BigInt(Math.round(Math.sqrt(200) * 2 ** 40)) << 24n;
    const decimals = { baseDecimals: 9, quoteDecimals: 6 };
    const prices = [
      basePriceUsd({ sqrtPriceX64: zero, baseIsToken0: true, ...decimals }, '2'),
      basePriceUsd({ sqrtPriceX64: one, baseIsToken0: false, ...decimals }, '2'),
    ];
    for (const price of prices) expect(Number(price)).toBeCloseTo(10, 6);
  });
});
