import type { LaunchLinks } from '../../domain/launch/terms.ts';
import type { StoredType } from './permanent-store.ts';

/** What a token's permanent metadata says. */
export interface TokenMetadataInput {
  readonly name: string;
  readonly symbol: string;
  readonly links: LaunchLinks;
  readonly logoUri: string;
  readonly logoType: Exclude<StoredType, 'application/json'>;
}

/**
 * The metadata JSON of a token, in the fields of the Metaplex JSON standard for fungible tokens. Keys have a fixed order and
 * there is no white space, so the same launch always gives the same bytes, hence the same permanent URI.
 */
export function buildMetadata(input: TokenMetadataInput): Uint8Array {
  const { website, twitter, telegram } = input.links;
  return Buffer.from(
    JSON.stringify({
      name: input.name,
      symbol: input.symbol,
      description: `${input.name} (${input.symbol})`,
      image: input.logoUri,
      external_url: website,
      extensions: { website, ...(twitter && { twitter }), ...(telegram && { telegram }) },
      properties: { files: [{ uri: input.logoUri, type: input.logoType }], category: 'image' },
    }),
  );
}
