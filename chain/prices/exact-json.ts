/** JSON.parse source text access, missing in the type library. */
type ParseWithSource = (
  text: string,
  reviver: (key: string, value: unknown, context: { readonly source?: string }) => unknown,
) => unknown;

/**
 * Numbers stay text, so that no digit of a price passes a float: `parseExactJson('{"usd":0.1234567890123456789}')`
 * gives `{ usd: '0.1234567890123456789' }`. Throws a SyntaxError.
 */
export function parseExactJson(text: string): unknown {
  const parse = JSON.parse as ParseWithSource;
  return parse(text, (_key, value, { source }) => (typeof value === 'number' ? source : value));
}
