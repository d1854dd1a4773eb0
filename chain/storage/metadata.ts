import type { LaunchLinks } from '../../domain/launch/terms.ts';
import type { StoredType } from './permanent-store.ts';

export interface TokenMetadataInput {
  readonly name: string;
  readonly symbol: string;
  readonly links: LaunchLinks;
  readonly logoUri: string;
  readonly logoType: Exclude<StoredType, 'application/json'>;
}

/** Builds JSON of the Metaplex standard. Fixed key order, no white space: the same bytes and URI every time. */
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
