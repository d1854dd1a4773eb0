import { Compile } from 'typebox/compile';
import { type LaunchLinks, LaunchTermsSchema } from '../../domain/launch/terms.ts';

const links = Compile(LaunchTermsSchema.properties.links);

/** @throws for links that do not match the schema */
export function parseLinks(mint: string, value: unknown): LaunchLinks {
  if (!links.Check(value)) throw new Error(`links of token ${mint} cannot be read from the database`);
  return value;
}
