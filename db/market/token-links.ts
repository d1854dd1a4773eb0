import { Compile } from 'typebox/compile';
import type { LaunchLinks } from '../../domain/launch/terms.ts';
import { LaunchTermsSchema } from '../../domain/launch/terms-schema.ts';

const links = Compile(LaunchTermsSchema.properties.links);

/** Parses the links of a token's row. Throws where they do not fit, with the mint. */
export function parseLinks(mint: string, value: unknown): LaunchLinks {
  if (!links.Check(value)) throw new Error(`links of token ${mint} cannot be read from the database`);
  return value;
}
