/** Parses JSON with integers beyond 2^53 as bigint: lamports and raw amounts are unsigned 64-bit. Throws a SyntaxError. */
export function parseExactJson(text: string): unknown {
  // Only a text with a number of 16 digits or more needs the slower reading.
  return /\d{16}/.test(text) ? JSON.parse(text, exact) : JSON.parse(text);
}

function exact(_key: string, value: unknown, context?: { source?: string }): unknown {
  if (typeof value !== 'number' || Number.isSafeInteger(value)) return value;
  return /^-?\d+$/.test(context?.source ?? '') ? BigInt(context?.source ?? '') : value;
}
