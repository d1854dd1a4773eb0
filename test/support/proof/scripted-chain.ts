import { Keypair } from '@solana/web3.js';
import { addressBytes } from '../../../client/solana/bytes.ts';
import { associatedAccount } from '../../../client/solana/associated-account.ts';
import { RAYDIUM_CLMM_PROGRAM, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../../../client/solana/programs.ts';
import type { AccountState, Chain } from '../../../client/verify/chain.ts';
import type { Landed, TokenChange } from '../../../client/verify/landed.ts';

export const someAddress = () => Keypair.generate().publicKey.toBase58();

/** A chain of these transactions, in order, and these accounts. Histories follow from the transactions. */
export interface Script {
  readonly transactions: readonly Landed[];
  readonly accounts: Readonly<Record<string, AccountState>>;
}

export function scriptedChain({ transactions, accounts }: Script): Chain {
  const names = ({ signers, tokens, instructions }: Landed, address: string) =>
    signers.includes(address) ||
    tokens.some(({ account }) => account === address) ||
    instructions.some((one) => one.accounts.some((account) => account.address === address));
  return {
    name: 'the chain',
    calls: 0,
    genesisHash: () => Promise.resolve('genesis'),
    transaction: (signature) => Promise.resolve(transactions.find((one) => one.signature === signature) ?? null),
    history(address, { before, until, most }) {
      const all = transactions.filter((one) => names(one, address)).toReversed();
      const from = before === undefined ? 0 : all.findIndex(({ signature }) => signature === before) + 1;
      const end = until === undefined ? all.length : all.findIndex(({ signature }) => signature === until);
      const entries = all.slice(from, end);
      return Promise.resolve({ entries: entries.slice(0, most), isWhole: entries.length <= most });
    },
    accounts: (addresses) => Promise.resolve(addresses.map((address) => accounts[address] ?? null)),
    block: () => Promise.reject(new Error('no block is to be read')),
    firstBlock: () => Promise.reject(new Error('no block is to be drawn')),
  };
}

/** A transaction in which balances of associated accounts change. */
export function landed(facts: Partial<Landed> & Pick<Landed, 'signature' | 'slot'>): Landed {
  return { hasFailed: false, signers: [], instructions: [], loaded: [], tokens: [], lamports: new Map(), ...facts };
}

/** A change of the owner's associated account. */
export function changeOf(owner: string, mint: string, before: bigint | null, after: bigint): TokenChange {
  return { account: associatedAccount({ wallet: owner, mint, program: TOKEN_PROGRAM }), owner, mint, before, after };
}

/** A token account of its owner alone. */
export function tokenAccount(
  owner: string,
  mint: string,
  raw: bigint,
  more: { readonly delegate?: string; readonly closeAuthority?: string } = {},
): AccountState {
  const data = new Uint8Array(165);
  data.set(addressBytes(mint), 0);
  data.set(addressBytes(owner), 32);
  new DataView(data.buffer).setBigUint64(64, raw, true);
  const optional = (at: number, address: string | undefined) => {
    if (address === undefined) return;
    data[at] = 1;
    data.set(addressBytes(address), at + 4);
  };
  optional(72, more.delegate);
  optional(129, more.closeAuthority);
  return { program: TOKEN_PROGRAM, data };
}

/** A pool of Raydium's program, of these two mints. */
export function poolAccount(mints: readonly [string, string]): AccountState {
  const data = new Uint8Array(1_544);
  mints.forEach((one, index) => data.set(addressBytes(one), 73 + 32 * index));
  return { program: RAYDIUM_CLMM_PROGRAM, data };
}

export interface MintFacts {
  readonly mintAuthority?: string;
  readonly supplyRaw?: bigint;
  /** With an extension of the transfer fee. */
  readonly taxed?: { readonly bps: number; readonly authority?: string; readonly withdrawAuthority: string };
}

export function mintAccount({ mintAuthority, supplyRaw = 0n, taxed }: MintFacts): AccountState {
  const data = new Uint8Array(taxed ? 166 + 4 + 108 : 82);
  const view = new DataView(data.buffer);
  if (mintAuthority !== undefined) {
    data[0] = 1;
    data.set(addressBytes(mintAuthority), 4);
  }
  view.setBigUint64(36, supplyRaw, true);
  if (!taxed) return { program: TOKEN_PROGRAM, data };
  data[165] = 1;
  view.setUint16(166, 1, true);
  view.setUint16(168, 108, true);
  if (taxed.authority !== undefined) data.set(addressBytes(taxed.authority), 170);
  data.set(addressBytes(taxed.withdrawAuthority), 202);
  for (const at of [170 + 72, 170 + 90]) {
    view.setBigUint64(at + 8, 2n ** 64n - 1n, true);
    view.setUint16(at + 16, taxed.bps, true);
  }
  return { program: TOKEN_2022_PROGRAM, data };
}
