/** Whose key nobody has: the System program, and the address that exists to send tokens to for good. */
export const BURN_ADDRESSES: ReadonlySet<string> = new Set([
  '11111111111111111111111111111111',
  '1nc1nerator11111111111111111111111111111111',
]);
