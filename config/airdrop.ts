import Type from 'typebox';

export const holderVariables = {
  HOLDER_SOURCE: Type.Enum(['plain', 'paged', 'das'], {
    default: 'plain',
    description:
      'How airdrops read a quote token’s holders: `plain` by one `getProgramAccounts` (refused for millions of accounts), `paged` by `getProgramAccountsV2` (10,000 a call), `das` by `getTokenAccounts` (1,000 a call). Two endpoints, or the only one, must offer it',
  }),
};

export const airdropVariables = {
  AIRDROP_BATCHES: Type.Integer({
    minimum: 1,
    maximum: 200,
    default: 64,
    description: 'Transactions of an airdrop in flight at once',
  }),
};
