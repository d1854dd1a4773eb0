import pg from 'pg';

/** The driver would parse these lossily or ambiguously (catalog pg_type). */
const INT8 = 20;
const INT8_ARRAY = 1016;
const NUMERIC = 1700;

/**
 * Parses scale 0 as bigint, else as a decimal string without trailing zeros.
 * @throws RangeError on NaN and infinity
 */
export function parseNumeric(text: string): bigint | string {
  if (!/^-?\d+(\.\d+)?$/.test(text)) throw new RangeError(`"${text}" is not a finite number`);
  return text.includes('.') ? text.replace(/\.?0+$/, '') : BigInt(text);
}

type TextParser = (text: string) => unknown;

const exactParsers: ReadonlyMap<number, TextParser> = new Map<number, TextParser>([
  [INT8, BigInt],
  [INT8_ARRAY, parseInt8Array],
  [NUMERIC, parseNumeric],
]);

/** Parsers of one pool: other users of the driver are not affected. */
export const exactTypes: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary'): TextParser => {
    if (format === 'binary') throw new Error(`type ${oid} was sent as binary, which no query of ours asks for`);
    return exactParsers.get(oid) ?? (pg.types.getTypeParser(oid, 'text') as TextParser);
  },
};

function parseInt8Array(text: string): bigint[] {
  const inner = text.slice(1, -1);
  return inner === '' ? [] : inner.split(',').map(BigInt);
}
