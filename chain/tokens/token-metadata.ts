export interface TokenMetadata {
  /** 1 to 32 bytes of UTF-8. */
  readonly name: string;
  /** 1 to 10 bytes of UTF-8. */
  readonly symbol: string;
  /** Permanent JSON with logo and links. */
  readonly uri: string;
}
