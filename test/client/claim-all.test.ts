import { Keypair } from '@solana/web3.js';
import { expect, it } from 'vitest';
import { claimAll, createApi, keypairSigner } from '../../client/index.ts';
import { address } from '../support/launch/launch-rows.ts';

it('a position that the platform could not read is named as failed, and the others go on', async () => {
  const signer = keypairSigner(Keypair.generate());
  const feeKey = { mint: address(), holder: null, isHeld: false };
  const positions = [address(), address()].map((mint) => ({
    mint,
    name: 'Harbour Light',
    symbol: 'HARBOR',
    pool: address(),
    creator: signer.address,
    createdAt: '2026-11-26T12:00:00.000Z',
    feeKey,
    claimable: null,
  }));
  const pagination = { limit: 20, hasMore: false, nextCursor: null };
  const data = { wallet: signer.address, launchCount: 2, positions, pagination };
  const fetch = async () => Response.json({ data, meta: { generatedAt: '2026-11-26T12:00:00.000Z' } });
  const outcomes = [];
  for await (const outcome of claimAll({ api: createApi({ url: 'https://api.example', fetch }), signer }))
    outcomes.push(outcome);
  expect(outcomes.map(({ mint, outcome }) => [mint, outcome.status])).toEqual(
    positions.map(({ mint }) => [mint, 'failed']),
  );
});
