/** Says what the closing of work that can never go on does. Movements that are final stay. */
export const CLOSING_EFFECT = {
  reward: 'end the round: who is not paid yet gets nothing of it, and the rest of the pot goes to the next round',
  'fee-sweep': 'end the sweep: what it has harvested of the token and not burned is never burned',
  buyback: 'end the purchase: what it has bought and not burned stays with the treasury',
  restock: 'end the restock: what it has not bought yet is not bought',
  airdrop: 'end the airdrop: wallets that have got nothing get nothing, and emptying the launch wallet burns the rest',
  claim: 'end the finding: the claim stays without a row',
  launch: 'end the finding: the launch stays without a row, and its payment keeps the answer 409',
} as const;

export type ClosingKind = keyof typeof CLOSING_EFFECT;

export function isClosingKind(text: string): text is ClosingKind {
  return Object.hasOwn(CLOSING_EFFECT, text);
}
