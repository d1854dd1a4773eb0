import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCreator, type Creator, type Prepared } from '../../support/platform/creator.ts';
import { eventually } from '../../support/platform/eventually.ts';
import { parkAfterPrefix } from '../../support/platform/parking.ts';
import { type Platform, startPlatform } from '../../support/platform/platform.ts';
import { resolve } from '../../support/platform/resolve.ts';
import { untilState } from '../../support/platform/until-state.ts';
import { addressOf } from '../../support/platform/secrets.ts';
import { Keypair, PublicKey } from '@solana/web3.js';

let platform: Platform;
let creator: Creator;
let prepared: Prepared;
beforeAll(async () => {
  platform = await startPlatform({ landing: { resumeTries: 1 } });
  creator = await createCreator(platform);
  ({ prepared } = await parkAfterPrefix(platform, creator, 1));
});
afterAll(() => platform.close());

const launchRow = () =>
  platform.db.selectFrom('launches').selectAll().where('quoteId', '=', prepared.quoteId).executeTakeFirstOrThrow();
const treasury = () =>
  platform.connection.getBalance(new PublicKey(addressOf(platform.secrets.TREASURY_SECRET_KEY)), 'confirmed');
const write = (path: string, value: string) =>
  sql`update launches set terms = jsonb_set(terms, ${path}::text[], to_jsonb(${value}::text)) where quote_id = ${prepared.quoteId}`.execute(
    platform.db,
  );

/** Decides, and waits until the launch is parked again, with a reason that has these words in it. */
async function parkedAgain(action: 'resume' | 'refund', words: string): Promise<void> {
  await resolve(platform, prepared, action);
  const isParked = async () => ((await launchRow()).blockedReason?.startsWith(words) ? true : null);
  await eventually(isParked, `a launch parked with "${words}"`);
}

describe('whoever changes the stored terms of a paid launch', () => {
  it.each([
    ['whom it is given back to', '{creator}'],
    ['where its payment went', '{addresses,launchWallet}'],
    ['how much it cost', '{payment,lamports}'],
  ])('gets nothing signed: %s', async (_what, path) => {
    const before = await treasury();
    const { terms } = await platform.db
      .selectFrom('launches')
      .select(sql<string>`terms::text`.as('terms'))
      .where('quoteId', '=', prepared.quoteId)
      .executeTakeFirstOrThrow();
    const other = Keypair.generate().publicKey.toBase58();
    await write(path, path.includes('lamports') ? '99000000000' : other);
    await parkedAgain('refund', 'a refund is not possible: the launch is refused');
    await parkedAgain('resume', 'the launch is refused');
    expect(await treasury()).toBe(before);
    await sql`update launches set terms = ${terms}::jsonb where quote_id = ${prepared.quoteId}`.execute(platform.db);
  });

  it('does not keep it from being refunded once they are as they were', async () => {
    await resolve(platform, prepared, 'refund');
    await untilState(platform, prepared, 'refunded');
  });
});
