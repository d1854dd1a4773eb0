import { TOKEN_2022_PROGRAM_ID, TOKEN_PROGRAM_ID } from '@solana/spl-token';

const MINT_BYTES = 82;
const [CLASSIC, EXTENDED] = [TOKEN_PROGRAM_ID.toBase58(), TOKEN_2022_PROGRAM_ID.toBase58()];

interface Account {
  readonly owner: string;
  readonly data: readonly [string, string];
}

/** What a node answers that says of each plain mint that it is one of the other token program, with other decimals. */
export function otherMints(method: string, result: unknown): unknown {
  if (method !== 'getMultipleAccounts') return result;
  const { value, ...rest } = result as { value: readonly (Account | null)[] };
  return { ...rest, value: value.map(otherMint) };
}

function otherMint(account: Account | null): Account | null {
  const data = Buffer.from(account?.data[0] ?? '', 'base64');
  if (account === null || data.length !== MINT_BYTES) return account;
  data.writeUInt8(0, 44);
  const owner = account.owner === CLASSIC ? EXTENDED : CLASSIC;
  return { ...account, owner, data: [data.toString('base64'), 'base64'] };
}
