import pg from 'pg';

/** Object ids of the types whose text the driver would turn into something lossy or ambiguous (catalog pg_type). */
const INT8 = 20;
const INT8_ARRAY = 1016;
const NUMERIC = 1700;

/**
 * Reads a numeric exactly: a column with scale 0 has no decimal point and becomes a bigint, a column with a scale has one
 * and stays a decimal string, without trailing zeros. Throws a RangeError on NaN and infinity, which no column of ours holds.
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

/** Parsers for one pool's results; handed to the pool instead of changed globally, so that no other user of the driver is affected. */
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
