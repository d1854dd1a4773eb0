/** Quote tokens of one pair in the treasury, raw units. */
export interface Stock {
  /** What lies in the treasury's account. */
  readonly balanceRaw: bigint;
  /** What dev buys of open launches may still take. */
  readonly reservedRaw: bigint;
  /** What dev buys never take. */
  readonly reserveRaw: bigint;
}

/** Quote tokens that a new dev buy can count on, raw units; 0 where open launches and the reserve take all. */
export function availableRaw({ balanceRaw, reservedRaw, reserveRaw }: Stock): bigint {
  const rest = balanceRaw - reservedRaw - reserveRaw;
  return rest > 0n ? rest : 0n;
}

/** When quote tokens of a pair are bought anew, raw units. */
export interface RestockMarks {
  /** Fewer available ones are too few. */
  readonly belowRaw: bigint;
  /** How many shall be available afterwards. */
  readonly toRaw: bigint;
}

/** Quote tokens to buy, raw units; 0 while enough are available. */
export function shortfallRaw(available: bigint, { belowRaw, toRaw }: RestockMarks): bigint {
  return available < belowRaw ? toRaw - available : 0n;
}
