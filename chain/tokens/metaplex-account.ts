import { PublicKey } from '@solana/web3.js';
import type { TokenMetadata } from './token-metadata.ts';

export interface MetaplexMetadata extends TokenMetadata {
  readonly mint: PublicKey;
  /** Null for the address without a key. */
  readonly updateAuthority: PublicKey | null;
  readonly isMutable: boolean;
}

/** `Key::MetadataV1`. */
const METADATA_V1 = 4;
const CREATOR_BYTES = 34;

/** Decodes up to `is_mutable`. Strips zero padding. Throws a RangeError. */
export function decodeMetaplexMetadata(data: Buffer): MetaplexMetadata {
  const reader = new BorshReader(data);
  const key = reader.byte();
  if (key !== METADATA_V1) throw new RangeError(`a metadata account begins with ${METADATA_V1}, not ${key}`);
  const updateAuthority = reader.address();
  const mint = reader.address();
  const texts = { name: reader.text(), symbol: reader.text(), uri: reader.text() };
  reader.skipRoyalties();
  reader.flag('primary_sale_happened');
  const isMutable = reader.flag('is_mutable');
  return {
    ...texts,
    mint,
    isMutable,
    updateAuthority: updateAuthority.equals(PublicKey.default) ? null : updateAuthority,
  };
}

class BorshReader {
  readonly #data: Buffer;
  #position = 0;

  constructor(data: Buffer) {
    this.#data = data;
  }

  byte(): number {
    return this.#take(1).readUInt8();
  }

  address(): PublicKey {
    return new PublicKey(this.#take(32));
  }

  text(): string {
    return this.#take(this.#take(4).readUInt32LE()).toString('utf8').replace(/\0+$/, '');
  }

  flag(name: string): boolean {
    const value = this.byte();
    if (value > 1) throw new RangeError(`${name} of a metadata account is ${value}, neither 0 nor 1`);
    return value === 1;
  }

  skipRoyalties(): void {
    this.#take(2);
    if (this.flag('the option of creators')) this.#take(this.#take(4).readUInt32LE() * CREATOR_BYTES);
  }

  #take(length: number): Buffer {
    const end = this.#position + length;
    if (end > this.#data.length) {
      throw new RangeError(`a metadata account ends after ${this.#data.length} bytes, ${end} needed`);
    }
    const bytes = this.#data.subarray(this.#position, end);
    this.#position = end;
    return bytes;
  }
}
