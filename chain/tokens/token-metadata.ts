/** What a mint's metadata says, on the chain: the same three texts in Token-2022's and in Metaplex's metadata. */
export interface TokenMetadata {
  /** 1 to 32 bytes of UTF-8. */
  readonly name: string;
  /** 1 to 10 bytes of UTF-8. */
  readonly symbol: string;
  /** Address of the permanent JSON document with logo and links. */
  readonly uri: string;
}
