import { AppError } from './errors.ts';
import { NAME_MAX_BYTES, SYMBOL_MAX_BYTES } from './launch-facts.ts';

/** Characters that could hide or reorder text: controls, format characters, line separators, lone surrogates. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;

/** Checks a token's name: 1 to 32 bytes of UTF-8. Throws AppError `invalid_request`. */
export function parseTokenName(name: string): string {
  return parseText('name', name, NAME_MAX_BYTES);
}

/** Checks a token's symbol: 1 to 10 bytes of UTF-8. Throws AppError `invalid_request`. */
export function parseTokenSymbol(symbol: string): string {
  return parseText('symbol', symbol, SYMBOL_MAX_BYTES);
}

function parseText(field: string, text: string, maxBytes: number): string {
  const bytes = new TextEncoder().encode(text).length;
  if (bytes < 1 || bytes > maxBytes) throw bad(field, text, `has ${bytes} bytes, 1 to ${maxBytes} are allowed`);
  if (text.trim() !== text) throw bad(field, text, 'begins or ends with white space');
  // Emoji are joined and tinted with U+200D and U+FE0F, so these two may stand between other characters.
  if (UNPRINTABLE.test(text.replace(/(?<=\S)[\u200d\ufe0f]/gu, '')))
    throw bad(field, text, 'has characters that cannot be shown');
  return text;
}

function bad(field: string, text: string, what: string): AppError {
  return new AppError('invalid_request', `${field} ${JSON.stringify(text.slice(0, 40))} ${what}`);
}
