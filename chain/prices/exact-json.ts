/** The reviver's third argument (ECMAScript's JSON.parse source text access), which the type library does not know yet. */
type ParseWithSource = (
  text: string,
  reviver: (key: string, value: unknown, context: { readonly source?: string }) => unknown,
) => unknown;

/**
 * Parses JSON with every number left as its text, so that no digit of a price goes through a float:
 * `parseExactJson('{"usd":0.1234567890123456789}')` gives `{ usd: '0.1234567890123456789' }`. Throws a SyntaxError like JSON.parse.
 */
export function parseExactJson(text: string): unknown {
  const parse = JSON.parse as ParseWithSource;
  return parse(text, (_key, value, { source }) => (typeof value === 'number' ? source : value));
}
