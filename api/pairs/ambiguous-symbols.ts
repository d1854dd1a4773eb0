/** Symbols, in lower case, that more than one of these tokens has in whatever case. */
export function ambiguousSymbols(tokens: readonly { readonly symbol: string }[]): ReadonlySet<string> {
  const bySymbol = Map.groupBy(tokens, ({ symbol }) => symbol.toLowerCase());
  return new Set([...bySymbol].filter(([, same]) => same.length > 1).map(([symbol]) => symbol));
}
