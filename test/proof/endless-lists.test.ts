import { expect, it } from 'vitest';
import examples from '../../api/openapi/examples.json' with { type: 'json' };
import { type Api, createApi } from '../../client/index.ts';
import { readBudgetStatement, readPotStatement } from '../../client/verify/statement/movement-rows.ts';
import { readWallets } from '../../client/verify/wallets/wallet-list.ts';

/** A platform that answers an endpoint's example for ever, each time with more to come behind the same cursor. */
function endless(endpoint: keyof typeof LISTS): Api {
  const { data } = examples[endpoint];
  const page = { ...data, pagination: { ...data.pagination, hasMore: true, nextCursor: 'again' } };
  const answer = () => Promise.resolve(Response.json({ success: true, data: page }));
  return createApi({ url: 'http://127.0.0.1:9', fetch: answer });
}

const LISTS = {
  'GET /platform/wallets': readWallets,
  'GET /tokens/{mint}/rewards/statement': (api: Api) => readPotStatement(api, 'mint'),
  'GET /platform/statement': (api: Api) => readBudgetStatement(api, 'mint', 'buyback'),
} as const;

it.each(['GET /platform/wallets', 'GET /tokens/{mint}/rewards/statement', 'GET /platform/statement'] as const)(
  '%s that repeats a cursor is an error, not a list without an end',
  async (list) => {
    await expect(LISTS[list](endless(list))).rejects.toThrow(`${list} answered the cursor "again" twice`);
  },
);
