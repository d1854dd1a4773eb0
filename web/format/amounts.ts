const DIGITS = /^\d+(\.\d+)?$/;
/** Thousands for some and a fraction for others; what begins with 0 is a fraction for everybody. */
const AMBIGUOUS = /^[1-9]\d{0,2}(,\d{3})+$/;

/** What somebody typed as an amount, as plain digits with a point; null for what is none above 0. One comma is a decimal point too. */
export function typedAmount(text: string): string | null {
  if (AMBIGUOUS.test(text)) return null;
  const plain = text.replace(',', '.');
  return DIGITS.test(plain) && Number(plain) > 0 ? plain : null;
}

/** Why what somebody typed is no amount; null where it is one, or where nothing was typed. */
export function amountProblem(text: string): string | null {
  if (text === '' || typedAmount(text) !== null) return null;
  if (!AMBIGUOUS.test(text)) return 'An amount above 0 in digits, as 1000 or 0.5.';
  return `${text} could be read in two ways: write ${text.replaceAll(',', '')}, or a point before a fraction.`;
}
