import { type AccountInfo, PublicKey } from '@solana/web3.js';
import { unseen } from '../../rpc/json-rpc.ts';
import { accountDiscriminator, DISCRIMINATOR_BYTES } from './discriminators.ts';

/** Reads little-endian, packed fields. Throws a RangeError past the end. */
export class AccountReader {
  readonly #data: Buffer;
  #position: number;

  constructor(data: Buffer, position = DISCRIMINATOR_BYTES) {
    this.#data = data;
    this.#position = position;
  }

  skip(bytes: number): this {
    this.#take(bytes);
    return this;
  }

  u8(): number {
    return this.#data.readUInt8(this.#take(1));
  }

  u16(): number {
    return this.#data.readUInt16LE(this.#take(2));
  }

  u32(): number {
    return this.#data.readUInt32LE(this.#take(4));
  }

  i32(): number {
    return this.#data.readInt32LE(this.#take(4));
  }

  u64(): bigint {
    return this.#data.readBigUInt64LE(this.#take(8));
  }

  i64(): bigint {
    return this.#data.readBigInt64LE(this.#take(8));
  }

  u128(): bigint {
    return this.u64() | (this.u64() << 64n);
  }

  i128(): bigint {
    return BigInt.asIntN(128, this.u128());
  }

  key(): PublicKey {
    const start = this.#take(32);
    return new PublicKey(this.#data.subarray(start, start + 32));
  }

  #take(bytes: number): number {
    const start = this.#position;
    if (start + bytes > this.#data.length) {
      throw new RangeError(`${this.#data.length} bytes end before the field at ${start} of ${bytes} bytes`);
    }
    this.#position += bytes;
    return start;
  }
}

export interface AccountKind {
  readonly name: string;
  readonly program: PublicKey;
  readonly bytes: number;
}

export function isOfKind(account: AccountInfo<Buffer>, kind: AccountKind): boolean {
  if (!account.owner.equals(kind.program) || account.data.length !== kind.bytes) return false;
  return account.data.subarray(0, DISCRIMINATOR_BYTES).equals(accountDiscriminator(kind.name));
}

/**
 * Null is an account that another answer proves: then the endpoint is behind. Throws if the account is not of that kind.
 *
 * @throws RpcUnavailableError for null
 */
export function openAccount(address: PublicKey, account: AccountInfo<Buffer> | null, kind: AccountKind): AccountReader {
  if (account === null) throw unseen(`${kind.name} ${address.toBase58()}`);
  if (isOfKind(account, kind)) return new AccountReader(account.data);
  const found = `${account.data.length} bytes of ${account.owner.toBase58()}`;
  throw new Error(`${address.toBase58()} is no ${kind.name} of ${kind.program.toBase58()}: there is ${found}`);
}
