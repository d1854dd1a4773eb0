import Type from 'typebox';

/** How the API asks who could get an airdrop. */
export const holderVariables = {
  HOLDER_SOURCE: Type.Enum(['plain', 'paged', 'das'], {
    default: 'plain',
    description:
      'How the endpoints are asked who holds a quote token, for airdrops: `plain` by one `getProgramAccounts`, which providers refuse for tokens with millions of accounts; `paged` by `getProgramAccountsV2`, 10,000 accounts a call; `das` by `getTokenAccounts` of the Digital Asset Standard, 1,000 with a balance a call. At least two endpoints, or the only one, have to offer it',
  }),
};

/** How the worker delivers airdrops. */
export const airdropVariables = {
  AIRDROP_BATCHES: Type.Integer({
    minimum: 1,
    maximum: 200,
    default: 16,
    description: 'Transactions of one airdrop that are under way at once',
  }),
};
