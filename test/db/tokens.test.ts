import { beforeEach, describe, expect, it } from 'vitest';
import { insertIntake } from '../../db/launch/launch-intake.ts';
import * as auditLog from '../../db/platform/audit-log.ts';
import * as pairs from '../../db/pairs.ts';
import { type LaunchedToken, recordLaunch } from '../../db/launch/record-launch.ts';
import { listTokens } from '../../db/market/token-list.ts';
import * as tokens from '../../db/tokens.ts';
import { address, bringTo, intakeOf, launchTerms, recordingOf } from '../support/launch/launch-rows.ts';
import { useDatabase } from '../support/db/use-database.ts';

const { db } = useDatabase();

beforeEach(async () => {
  await db().deleteFrom('tokens').execute();
});

const at = (second: number) => new Date(Date.UTC(2026, 10, 21, 12, 0, second));

/** Launches a token that differs from the fixture in `facts`, created at second `second`; returns its mint. */
async function launched(second: number, facts: Partial<LaunchedToken> = {}): Promise<string> {
  const terms = launchTerms();
  await insertIntake(db(), intakeOf(terms));
  await bringTo(db(), terms.quoteId, 'recording');
  const recording = recordingOf(terms, { launchedAt: at(second) });
  await recordLaunch(db(), { ...recording, token: { ...recording.token, ...facts } });
  return terms.addresses.mint;
}

const mints = (page: { tokens: readonly { mint: string }[] }) => page.tokens.map(({ mint }) => mint);
const everything = { page: 1, pageSize: 100 };

describe('the asset index', () => {
  it('pages through every token exactly once, in the order in which they became visible', async () => {
    const oldest: string[] = [];
    for (const second of [1, 1, 3, 2, 2]) oldest.push(await launched(second));
    const slice = (offset: number) => tokens.assetIndex(db(), { limit: 2, offset, order: 'oldest' });
    const pages = [await slice(0), await slice(2), await slice(4)];
    expect(pages.flatMap(mints)).toEqual(oldest);
    expect(pages.map(({ hasMore }) => hasMore)).toEqual([true, true, false]);
    const newest = await tokens.assetIndex(db(), { limit: 10, offset: 0, order: 'newest' });
    expect(mints(newest)).toEqual([...oldest].reverse());
  });

  it('leaves out hidden tokens, and shows them again', async () => {
    const mint = await launched(1);
    await tokens.setHidden(db(), mint, true, { actor: 'maria', note: 'copy of a brand' });
    const index = () => tokens.assetIndex(db(), { limit: 10, offset: 0, order: 'oldest' });
    expect(mints(await index())).toEqual([]);
    expect(await tokens.byMint(db(), mint)).toMatchObject({ hidden: true });
    await tokens.setHidden(db(), mint, false, { actor: 'maria' });
    expect(mints(await index())).toEqual([mint]);
    const entries = await auditLog.ofSubject(db(), `token/${mint}`);
    expect(entries.map(({ action, note }) => [action, note])).toEqual([
      ['token.show', null],
      ['token.hide', 'copy of a brand'],
    ]);
  });
});

describe('the token list', () => {
  it('searches name and symbol in any case and anywhere, the mint from its beginning', async () => {
    const harbour = await launched(1, { name: 'Harbour Light', symbol: 'HBR' });
    const other = await launched(2, { name: 'Something Else', symbol: 'ELSE' });
    const search = async (q: string) => mints(await listTokens(db(), { q }, 'newest', everything));
    expect(await search('bour l')).toEqual([harbour]);
    expect(await search('hbr')).toEqual([harbour]);
    expect(await search(other.slice(0, 12))).toEqual([other]);
    expect(await search(other.slice(1, 20))).toEqual([]);
  });

  it('takes wildcards in a search literally', async () => {
    const percent = await launched(1, { name: '100% real_thing', symbol: 'PCT' });
    await launched(2, { name: '100 realXthing', symbol: 'OTHER' });
    const search = async (q: string) => mints(await listTokens(db(), { q }, 'newest', everything));
    expect(await search('100%')).toEqual([percent]);
    expect(await search('real_')).toEqual([percent]);
    expect(await search('\\')).toEqual([]);
  });

  it('filters by fee model, status, paired token and its category, newest first', async () => {
    const [quoteMint, category] = [address(), address()];
    const price = { priceSource: 'fixed' as const, priceSourceId: 'x', priceMaxAgeMs: 1, priceMaxConfidenceBps: 1 };
    const token = { mint: quoteMint, symbol: 'Q', name: 'Q', decimals: 6, tokenProgram: address(), logoUrl: null };
    await pairs.add(db(), { ...token, category, ...price }, { actor: 'maria' });
    const paired = [await launched(1, { quoteMint }), await launched(2, { quoteMint })];
    const reward = await launched(3, { mode: 'reward', feeTier: null, rewardTaxBps: 300 });
    expect(mints(await listTokens(db(), { quoteMint }, 'newest', everything))).toEqual([...paired].reverse());
    expect(mints(await listTokens(db(), { category }, 'newest', everything))).toEqual([...paired].reverse());
    expect(mints(await listTokens(db(), { mode: 'reward' }, 'newest', everything))).toEqual([reward]);
    expect(mints(await listTokens(db(), { status: 'graduated' }, 'newest', everything))).toEqual([]);
    const second = await listTokens(db(), { quoteMint }, 'newest', { page: 2, pageSize: 1 });
    expect([mints(second), second.hasMore]).toEqual([[paired[0]], false]);
  });
});

describe('corrections', () => {
  it('of links keep to their shape and are audited', async () => {
    const mint = await launched(1);
    const links = { website: 'https://a.example', telegram: 'https://t.me/a' };
    expect(await tokens.setLinks(db(), mint, links, { actor: 'maria' })).toBe(true);
    expect((await tokens.byMint(db(), mint))?.links).toEqual(links);
    expect(await auditLog.ofSubject(db(), `token/${mint}`)).toMatchObject([{ details: links }]);
  });

  it('of an unknown token say so and leave no trace', async () => {
    const mint = address();
    expect(await tokens.setHidden(db(), mint, true, { actor: 'maria' })).toBe(false);
    expect(await tokens.setLinks(db(), mint, { website: 'https://a.example' }, { actor: 'maria' })).toBe(false);
    expect(await auditLog.ofSubject(db(), `token/${mint}`)).toEqual([]);
  });

  it('links that do not fit their shape are reported, not passed on', async () => {
    const mint = await launched(1);
    await db().updateTable('tokens').set({ links: '{"homepage":1}' }).where('mint', '=', mint).execute();
    await expect(tokens.byMint(db(), mint)).rejects.toThrow(`links of token ${mint}`);
  });
});
