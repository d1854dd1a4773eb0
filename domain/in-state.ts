/**
 * Returns the row if it is in one of these states, else null: for an act that belongs to them alone. Every other state,
 * also one that is added later, refuses it.
 */
export function inState<Row extends { readonly state: string }, State extends Row['state']>(
  row: Row | null | undefined,
  ...states: readonly State[]
): (Row & { readonly state: State }) | null {
  const isIn = (one: Row): one is Row & { readonly state: State } => states.some((state) => state === one.state);
  return row && isIn(row) ? row : null;
}
