const DIGITS = /^\d+(\.\d+)?$/;
/** Thousands to some, a fraction to others; a leading 0 is a fraction. */
const AMBIGUOUS = /^[1-9]\d{0,2}(,\d{3})+$/;

/** A single comma counts as point. Null unless above 0. */
export function typedAmount(text: string): string | null {
  if (AMBIGUOUS.test(text)) return null;
  const plain = text.replace(',', '.');
  return DIGITS.test(plain) && Number(plain) > 0 ? plain : null;
}

/** Null for a valid amount or empty text. */
export function amountProblem(text: string): string | null {
  if (text === '' || typedAmount(text) !== null) return null;
  if (!AMBIGUOUS.test(text)) return 'An amount above 0 in digits, as 1000 or 0.5.';
  return `${text} could be read in two ways: write ${text.replaceAll(',', '')}, or a point before a fraction.`;
}
