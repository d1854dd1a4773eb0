/** Addresses without a key: the System program, the incinerator. */
export const BURN_ADDRESSES: ReadonlySet<string> = new Set([
  '11111111111111111111111111111111',
  '1nc1nerator11111111111111111111111111111111',
]);
