import Type from 'typebox';

/** A variable that says how often something begins, in seconds; at most a week. */
export function everySeconds(fallback: number, what: string) {
  return Type.Integer({ minimum: 1, maximum: 604_800, default: fallback, description: `${what}, in seconds` });
}
