import { Keypair } from '@solana/web3.js';
import { expect, it } from 'vitest';
import { claimAll, type ClaimAllOptions, createApi, keypairSigner, memoryStore } from '../../client/index.ts';
import { address } from '../support/launch/launch-rows.ts';

const signer = keypairSigner(Keypair.generate());

/** Of a platform that could not read two positions. */
function unreadable() {
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
  return { positions, api: createApi({ url: 'https://api.example', fetch }) };
}

async function outcomesOf(options: ClaimAllOptions) {
  const outcomes = [];
  for await (const outcome of claimAll(options)) outcomes.push(outcome);
  return outcomes;
}

it('a position that the platform could not read is named as failed, and the others go on', async () => {
  const { positions, api } = unreadable();
  const outcomes = await outcomesOf({ api, signer });
  expect(outcomes.map(({ mint, outcome }) => [mint, outcome.status])).toEqual(
    positions.map(({ mint }) => [mint, 'failed']),
  );
});

it('a store that cannot be read fails its token alone', async () => {
  const { positions, api } = unreadable();
  const [first, second] = positions.map(({ mint }) => mint);
  const load = () => Promise.reject(new Error('EACCES: permission denied'));
  const storeOf = (mint: string) => (mint === first ? { ...memoryStore(), load } : memoryStore());
  expect(await outcomesOf({ api, signer, storeOf })).toMatchObject([
    { mint: first, outcome: { status: 'failed', reason: 'EACCES: permission denied' } },
    {
      mint: second,
      outcome: { status: 'failed', reason: 'the platform could not read this position now; claim again later' },
    },
  ]);
});
