import { describe, expect, it } from 'vitest';
import { accountsByEndpoint } from '../../../chain/rpc/agreed-accounts.ts';
import type { EndpointSet } from '../../../chain/rpc/endpoints.ts';
import { address } from '../../support/launch/launch-rows.ts';

const ONE = address();

/** Endpoints of which each has so many lamports at an address, null: no account; they answer in this order. */
function endpointsWith(...lamports: readonly (number | null)[]): EndpointSet {
  const all = lamports.map((held, index) => ({
    name: `endpoint ${index}`,
    call: () => {
      const account = held === null ? null : { lamports: held, owner: ONE, data: ['', 'base64'] };
      return Promise.resolve({ context: { slot: 1 }, value: [account] });
    },
  }));
  const quorumReplies = (ask: (endpoint: never) => Promise<unknown>) =>
    Promise.all(all.map(async (endpoint) => ({ ok: true, endpoint, value: await ask(endpoint as never) })));
  return { all, quorum: 2, quorumReplies } as never;
}

describe('a reason that endpoints give', () => {
  const reason = async (...lamports: readonly (number | null)[]) =>
    (await accountsByEndpoint(endpointsWith(...lamports), [ONE])).agreedReason(ONE, (found) => found?.lamports ?? null);

  it('is the one that most of a quorum give, not that of the first', async () => {
    expect(await reason(7, 5, 5)).toBe(5);
    expect(await reason(5, 7, 5)).toBe(5);
  });

  it('is the first where as many give another, and none where no quorum gives one', async () => {
    expect(await reason(7, 5, null)).toBe(7);
    expect(await reason(7, null, null)).toBeNull();
  });
});

describe('an amount that endpoints differ on', () => {
  const boundsOf = async (...lamports: readonly (number | null)[]) => {
    const said = await accountsByEndpoint(endpointsWith(...lamports), [ONE]);
    const amountOf = (found: { readonly lamports: number } | null) => BigInt(found?.lamports ?? 0);
    return [said.leastSeen(ONE, amountOf), said.mostSeen(ONE, amountOf)];
  };

  it('is no more, and no less, than a quorum says, whatever one of them says', async () => {
    for (const liar of [null, 900]) {
      expect(await boundsOf(5, 5, liar)).toEqual([5n, 5n]);
      expect(await boundsOf(liar, 5, 5)).toEqual([5n, 5n]);
    }
  });

  it('is open between two of which one lies', async () => {
    expect(await boundsOf(5, 900)).toEqual([5n, 900n]);
    expect(await boundsOf(0, 5)).toEqual([0n, 5n]);
  });
});
