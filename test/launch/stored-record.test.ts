import { describe, expect, it } from 'vitest';
import { transaction } from '../../db/connect.ts';
import { ContradictionError } from '../../db/errors.ts';
import { insertIntake } from '../../db/launch/launch-intake.ts';
import { transitionLaunch } from '../../db/launch/launch-transition.ts';
import * as launches from '../../db/launch/launches.ts';
import * as publicLedger from '../../db/launch/public-ledger.ts';
import { recordLaunch } from '../../db/launch/record-launch.ts';
import { listTokens } from '../../db/market/token-list.ts';
import * as tokens from '../../db/tokens.ts';
import { address, bringTo, intakeOf, launchTerms, recordingOf, signature } from '../support/launch/launch-rows.ts';
import { useDatabase } from '../support/db/use-database.ts';

const { db } = useDatabase();

async function landed() {
  const terms = launchTerms();
  await insertIntake(db(), intakeOf(terms));
  await bringTo(db(), terms.quoteId, 'recording');
  return { terms, recording: recordingOf(terms), quoteId: terms.quoteId, mint: terms.addresses.mint };
}

describe('recording a launch', () => {
  it('completes the launch and writes its token and both positions', async () => {
    const { recording, quoteId, mint } = await landed();
    expect(await recordLaunch(db(), recording)).toBe('recorded');
    const { paymentSignature, slot, launchedAt } = recording;
    expect(await launches.byQuoteId(db(), quoteId)).toMatchObject({
      state: 'completed',
      paymentSignature,
      slot,
      launchedAt,
    });
    const created = { quoteId, createdAt: launchedAt, createdSlot: slot, hidden: false };
    expect(await tokens.byMint(db(), mint)).toMatchObject({ ...recording.token, ...created });
    expect(await tokens.positions(db(), mint)).toEqual(recording.positions.map((position) => ({ ...position, mint })));
    expect(await launches.bySignature(db(), paymentSignature)).toMatchObject({ quoteId });
  });

  it('a repeat changes nothing, also after the launch was finalized', async () => {
    const { recording, quoteId } = await landed();
    await recordLaunch(db(), recording);
    expect(await recordLaunch(db(), recording)).toBe('already');
    await transitionLaunch(db(), quoteId, ['completed'], 'finalized', { slot: 9_999n });
    expect(await recordLaunch(db(), recording)).toBe('already');
    expect((await launches.history(db(), quoteId)).map(({ state }) => state)).toEqual([
      'received',
      'landing',
      'recording',
      'completed',
      'finalized',
    ]);
  });

  it('20 concurrent recordings of one launch record it once', async () => {
    const { recording, quoteId } = await landed();
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => recordLaunch(db(), recording)));
    expect(outcomes.filter((outcome) => outcome === 'recorded')).toHaveLength(1);
    expect(await launches.history(db(), quoteId)).toHaveLength(4);
  });

  it('is all or nothing together with what the caller adds', async () => {
    const { recording, quoteId, mint } = await landed();
    const undone = transaction(db(), async (tx) => {
      await recordLaunch(tx, recording);
      throw new Error('the plan could not be written');
    });
    await expect(undone).rejects.toThrow('plan');
    expect(await launches.byQuoteId(db(), quoteId)).toMatchObject({ state: 'recording', completedAt: null });
    expect(await tokens.byMint(db(), mint)).toBeNull();
  });

  it('other facts of the same mint are a contradiction that names the field, and nothing is written', async () => {
    const { recording, quoteId, mint } = await landed();
    await recordLaunch(db(), recording);
    const pool = address();
    const other = { ...recording, token: { ...recording.token, pool } };
    await expect(recordLaunch(db(), other)).rejects.toThrow(`pool is recorded as ${recording.token.pool}`);
    const [first, second] = recording.positions;
    const smaller = { ...recording, positions: [first, { ...second, liquidity: 1n }] as const };
    await expect(recordLaunch(db(), smaller)).rejects.toThrow('liquidity is recorded as');
    expect(await tokens.byMint(db(), mint)).toMatchObject({ pool: recording.token.pool });
    expect(await launches.history(db(), quoteId)).toHaveLength(4);
  });

  it('a pool or a Fee Key of another token is a contradiction', async () => {
    const [first, second] = [await landed(), await landed()];
    await recordLaunch(db(), first.recording);
    const { token, positions } = second.recording;
    const samePool = { ...second.recording, token: { ...token, pool: first.recording.token.pool } };
    await expect(recordLaunch(db(), samePool)).rejects.toThrow(ContradictionError);
    const { feeKeyMint } = first.recording.positions[0];
    const sameKey = { ...second.recording, positions: [{ ...positions[0], feeKeyMint }, positions[1]] as const };
    await expect(recordLaunch(db(), sameKey)).rejects.toThrow(ContradictionError);
    expect(await launches.byQuoteId(db(), second.quoteId)).toMatchObject({ state: 'recording' });
  });

  it('a launch that is unknown or did not land cannot be recorded', async () => {
    await expect(recordLaunch(db(), recordingOf(launchTerms()))).rejects.toThrow('is not known');
    const { recording, quoteId, mint } = await landed();
    await transitionLaunch(db(), quoteId, ['recording'], 'landing');
    await transitionLaunch(db(), quoteId, ['landing'], 'not_landed');
    await expect(recordLaunch(db(), recording)).rejects.toThrow('is not_landed and cannot complete');
    expect(await tokens.byMint(db(), mint)).toBeNull();
  });

  it('does not undo what an operator corrected', async () => {
    const { recording, mint } = await landed();
    await recordLaunch(db(), recording);
    const links = { website: 'https://new.example', twitter: 'https://x.com/harbour' };
    await tokens.setLinks(db(), mint, links, { actor: 'maria' });
    expect(await recordLaunch(db(), recording)).toBe('already');
    expect(await tokens.byMint(db(), mint)).toMatchObject({ links });
  });
});

describe('a fork', () => {
  it('takes the token out of every read', async () => {
    const { recording, mint, terms } = await landed();
    await recordLaunch(db(), recording);
    expect(await tokens.withdraw(db(), mint)).toBe(true);
    expect(await tokens.withdraw(db(), mint)).toBe(false);
    expect(await tokens.byMint(db(), mint)).toBeNull();
    expect(await tokens.positions(db(), mint)).toEqual([]);
    expect((await listTokens(db(), { q: mint }, 'newest', { page: 1, pageSize: 1 })).tokens).toEqual([]);
    expect(
      (await listTokens(db(), { quoteMint: terms.quoteToken.mint }, 'newest', { page: 1, pageSize: 1 })).tokens,
    ).toEqual([]);
    const index = await tokens.assetIndex(db(), { limit: 1_000, offset: 0, order: 'oldest' });
    expect(index.tokens.map((token) => token.mint)).not.toContain(mint);
    expect(await publicLedger.count(db(), { creator: terms.creator })).toBe(0);
  });

  it('that only moved the launch brings it back with its new block and signature', async () => {
    const { recording, mint, quoteId } = await landed();
    await recordLaunch(db(), recording);
    await tokens.withdraw(db(), mint);
    await transitionLaunch(db(), quoteId, ['completed'], 'landing', { paymentSignature: null });
    await transitionLaunch(db(), quoteId, ['landing'], 'recording');
    const moved = { slot: 1_300n, launchedAt: new Date('2026-11-21T12:00:40Z'), paymentSignature: signature() };
    expect(await recordLaunch(db(), { ...recording, ...moved })).toBe('recorded');
    expect(await tokens.byMint(db(), mint)).toMatchObject({ createdSlot: 1_300n, createdAt: moved.launchedAt });
    expect(await launches.byQuoteId(db(), quoteId)).toMatchObject({ ...moved, state: 'completed' });
  });
});
