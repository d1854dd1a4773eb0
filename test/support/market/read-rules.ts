import { expect } from 'vitest';
import * as tokens from '../../../db/tokens.ts';
import { address } from '../launch/launch-rows.ts';
import { errorOf } from '../api/errors-of.ts';
import type { MarketApp } from './market-app.ts';

/** A hidden token can still be read at its address, a withdrawn and an unknown one are 404 and not cached. */
export async function expectReadUnlessWithdrawn(market: MarketApp, urlOf: (mint: string) => string): Promise<void> {
  const { mint: hidden } = await market.launch();
  await tokens.setHidden(market.db(), hidden, true, { actor: 'test' });
  expect((await market.app().inject(urlOf(hidden))).statusCode).toBe(200);
  const { mint: withdrawn } = await market.launch();
  await tokens.withdraw(market.db(), withdrawn);
  for (const gone of [withdrawn, address()]) {
    const answer = await market.app().inject(urlOf(gone));
    expect([answer.statusCode, errorOf(answer).code]).toEqual([404, 'not_found']);
    expect(answer.headers['cache-control']).toBe('no-store');
  }
}
