/** base58, 32 bytes. */
export type Address = string;

/** An account without lamports is `null`. */
export interface Account {
  readonly lamports: bigint;
  readonly data: Uint8Array;
  readonly owner: Address;
  readonly executable: boolean;
}

/** u64 maximum, as Agave reports. */
export const RENT_EPOCH = 18_446_744_073_709_551_615n;

export const SYSTEM_PROGRAM: Address = '11111111111111111111111111111111';
export const TOKEN_PROGRAM: Address = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';
export const TOKEN_2022_PROGRAM: Address = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb';
export const LOOKUP_TABLE_PROGRAM: Address = 'AddressLookupTab1e1111111111111111111111111';
export const COMPUTE_BUDGET_PROGRAM: Address = 'ComputeBudget111111111111111111111111111111';
export const MEMO_PROGRAM: Address = 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr';
export const MEMO_V1_PROGRAM: Address = 'Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo';

export function sameAccount(a: Account | null, b: Account | null): boolean {
  if (a === null || b === null) return a === b;
  return (
    a.lamports === b.lamports &&
    a.owner === b.owner &&
    a.executable === b.executable &&
    Buffer.compare(a.data, b.data) === 0
  );
}
