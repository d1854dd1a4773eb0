import Type from 'typebox';

/** A week. */
const LONGEST = 604_800;

export function everySeconds(fallback: number, what: string, maximum = LONGEST) {
  return Type.Integer({ minimum: 1, maximum, default: fallback, description: `${what}, in seconds` });
}
