import { fromBase58 } from '../encoding/base58.ts';
import { type Address, MEMO_PROGRAM, SYSTEM_PROGRAM } from '../ledger/account.ts';

export interface Transfer {
  readonly from: Address;
  readonly to: Address;
  readonly lamports: bigint;
  readonly blockhash: Uint8Array;
  /** At most 127 bytes. */
  readonly memo: string;
}

/** Legacy; keys: payer, recipient, system program, memo program. */
export function transferMessage({ from, to, lamports, blockhash, memo }: Transfer): Uint8Array {
  const keys = [from, to, SYSTEM_PROGRAM, MEMO_PROGRAM].map(fromBase58);
  const transfer = Buffer.alloc(12);
  transfer.writeUInt32LE(2, 0);
  transfer.writeBigUInt64LE(lamports, 4);
  const note = Buffer.from(memo, 'utf8');
  return Buffer.concat([
    Buffer.of(1, 0, 2, keys.length),
    ...keys,
    blockhash,
    Buffer.of(2),
    Buffer.of(2, 2, 0, 1, transfer.length),
    transfer,
    Buffer.of(3, 0, note.length),
    note,
  ]);
}
