export function ambiguousSymbols(tokens: readonly { readonly symbol: string }[]): ReadonlySet<string> {
  const bySymbol = Map.groupBy(tokens, ({ symbol }) => symbol.toLowerCase());
  return new Set([...bySymbol].filter(([, same]) => same.length > 1).map(([symbol]) => symbol));
}
