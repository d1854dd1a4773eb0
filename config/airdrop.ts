import Type from 'typebox';

/** How the worker delivers airdrops. */
export const airdropVariables = {
  AIRDROP_BATCHES: Type.Integer({
    minimum: 1,
    maximum: 200,
    default: 16,
    description: 'Transactions of one airdrop that are under way at once',
  }),
};
