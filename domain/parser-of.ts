import type { Static, TSchema } from 'typebox';
import { Compile } from 'typebox/compile';

/**
 * Makes the parser of a schema. It throws with the path of the first wrong value.
 * @param what the subject of the error, with its verb: `the wish is`
 */
export function parserOf<Schema extends TSchema>(what: string, schema: Schema): (value: unknown) => Static<Schema> {
  const validator = Compile<Schema>(schema);
  return (value) => {
    if (validator.Check(value)) return value;
    const [first] = validator.Errors(value);
    throw new Error(`${what} malformed at "${first?.instancePath ?? ''}": ${first?.message ?? 'unknown'}`);
  };
}
