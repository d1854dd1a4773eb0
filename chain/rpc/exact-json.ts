/**
 * Parses integers beyond 2^53 as bigint: lamports and raw amounts are u64.
 *
 * @throws SyntaxError
 */
export function parseExactJson(text: string): unknown {
  // The slower parser is needed for numbers of 16 or more digits only.
  return /\d{16}/.test(text) ? JSON.parse(text, exact) : JSON.parse(text);
}

function exact(_key: string, value: unknown, context?: { source?: string }): unknown {
  if (typeof value !== 'number' || Number.isSafeInteger(value)) return value;
  return /^-?\d+$/.test(context?.source ?? '') ? BigInt(context?.source ?? '') : value;
}
