import { AppError } from '../errors.ts';
import { NAME_MAX_BYTES, SYMBOL_MAX_BYTES } from '../token-facts.ts';

/**
 * Characters that hide or reorder text or show nothing, so that two names look alike or one looks empty: controls, formats,
 * private and unassigned ones, line separators, what Unicode lets a renderer ignore (fillers, variation selectors, lone
 * joiners) and the blank Braille cell.
 */
const UNPRINTABLE = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** Inside an emoji a joiner and a tint do show: U+200D between two pictures, U+FE0F after one. */
const EMOJI_GLUE =
  /(?<=\p{Emoji})\ufe0f|(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f])\u200d(?=\p{Extended_Pictographic})/gu;

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
  if (UNPRINTABLE.test(text.replace(EMOJI_GLUE, ''))) throw bad(field, text, 'has characters that cannot be shown');
  return text;
}

function bad(field: string, text: string, what: string): AppError {
  return new AppError('invalid_request', `${field} ${JSON.stringify(text.slice(0, 40))} ${what}`);
}
