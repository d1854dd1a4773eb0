import { type AccountInfo, type Connection, Keypair, PublicKey } from '@solana/web3.js';
import { tableAccount } from '../../../bench/launch-costs/table-account.ts';
import {
  type AgreedLookupTable,
  agreedLookupTablesAt,
  type LookupTableRpc,
} from '../../../chain/transactions/lookup-table.ts';

/** A table of these addresses that is on no chain. */
export function agreedTable(addresses: readonly PublicKey[]): Promise<AgreedLookupTable> {
  const { address, data, lamports, owner } = tableAccount(Keypair.generate().publicKey, [...addresses]);
  const account = { data: Buffer.from(data), lamports: Number(lamports), owner, executable: false };
  return onlyTable(
    said(() => Promise.resolve({ account, slot: 100 })),
    address,
  );
}

/** The table at an address as the one node has it that a connection reaches. */
export function tableOn(connection: Connection, address: PublicKey): Promise<AgreedLookupTable> {
  const read = async (wanted: string) => {
    const { value, context } = await connection.getAccountInfoAndContext(new PublicKey(wanted), 'confirmed');
    return { account: value, slot: context.slot };
  };
  return onlyTable(said(read), address);
}

type Read = (address: string) => Promise<{ readonly account: AccountInfo<Buffer> | null; readonly slot: number }>;

function said(read: Read): LookupTableRpc {
  return {
    async accountsByEndpoint(addresses) {
      const sights = new Map(await Promise.all(addresses.map(async (one) => [one, await read(one)] as const)));
      return {
        agreedAt(address, readingOf) {
          const sight = sights.get(address);
          return sight && { value: readingOf(sight.account), slot: sight.slot };
        },
      };
    },
  };
}

async function onlyTable(rpc: LookupTableRpc, address: PublicKey): Promise<AgreedLookupTable> {
  const [table] = await agreedLookupTablesAt(rpc, [address.toBase58()])();
  if (!table) throw new Error(`lookup table ${address.toBase58()} was not read`);
  return table;
}
