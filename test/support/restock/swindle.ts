import { AccountLayout, getAssociatedTokenAddressSync } from '@solana/spl-token';
import { AddressLookupTableProgram, Connection, Keypair, type PublicKey } from '@solana/web3.js';
import { tableAccount } from '../../../bench/launch-costs/table-account.ts';
import { createLocalChain, rentLamports } from '../../../dev/seed/local-chain.ts';
import type { SeedPair } from '../../../dev/seed/local-pairs.ts';
import { tokenAccountBytes } from '../../../dev/seed/token-bytes.ts';

/** Whose accounts a lookup table names, and of which quote token it is said to be. */
export interface SwindleTarget {
  /** A token of the Token program. */
  readonly pair: SeedPair;
  readonly treasury: PublicKey;
  /** The wallet that swaps for restocks. */
  readonly wallet: PublicKey;
  /** Who sells the quote token. */
  readonly maker: PublicKey;
}

/** A lookup table of a worthless token's accounts, and an endpoint that says that they are a quote token's. */
export interface Swindle {
  readonly table: PublicKey;
  /** Writes table, token and the maker's plenty of it. */
  writeOn(rpcUrl: string): Promise<void>;
  /** What the endpoint makes of the results of its node. */
  lie(method: string, result: unknown, params: readonly unknown[]): unknown;
}

const PLENTY = 10n ** 15n;

export function createSwindle({ pair, treasury, wallet, maker }: SwindleTarget): Swindle {
  const [table, worthless] = [Keypair.generate().publicKey, Keypair.generate().publicKey];
  const tableOf = (mint: PublicKey) => {
    const accounts = [treasury, wallet, maker].map((owner) => getAssociatedTokenAddressSync(mint, owner));
    return tableAccount(table, [mint, ...accounts]);
  };
  const invented = {
    data: [Buffer.from(tableOf(pair.mint).data).toString('base64'), 'base64'],
    executable: false,
    lamports: 1_000_000_000,
    owner: AddressLookupTableProgram.programId.toBase58(),
    rentEpoch: 0,
  };
  return {
    table,
    writeOn: async (rpcUrl) => {
      const mint = (await new Connection(rpcUrl).getAccountInfo(pair.mint))!;
      const data = accountOf({ ...pair, mint: worthless }, maker, wallet);
      const lamports = rentLamports(data.length);
      const address = getAssociatedTokenAddressSync(worthless, maker);
      await createLocalChain(rpcUrl).writeAccounts([
        tableOf(worthless),
        { address: worthless, lamports: BigInt(mint.lamports), owner: mint.owner, data: mint.data },
        { address, lamports, owner: pair.tokenProgram, data },
      ]);
    },
    lie: (method, result, params) => {
      const said = result as { readonly value: readonly unknown[] };
      if (method === 'getAccountInfo' && params[0] === table.toBase58()) return { ...said, value: invented };
      if (method !== 'getMultipleAccounts') return result;
      const addresses = params[0] as readonly string[];
      const isTable = (index: number) => addresses[index] === table.toBase58();
      return { ...said, value: said.value.map((one, index) => (isTable(index) ? invented : one)) };
    },
  };
}

/** The maker's account, of which the wallet may take. */
function accountOf(pair: SeedPair, maker: PublicKey, wallet: PublicKey): Buffer {
  const data = Buffer.from(tokenAccountBytes(pair, maker, PLENTY));
  const account = AccountLayout.decode(data.subarray(0, AccountLayout.span));
  AccountLayout.encode({ ...account, delegateOption: 1, delegate: wallet, delegatedAmount: PLENTY }, data);
  return data;
}
