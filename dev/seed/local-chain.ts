import { PublicKey } from '@solana/web3.js';
import Type from 'typebox';
import { Compile } from 'typebox/compile';
import { createEndpoint, type RpcEndpoint } from '../../chain/rpc/json-rpc.ts';
import { batchesOf } from '../../domain/batches.ts';

export interface WrittenAccount {
  readonly address: PublicKey;
  readonly lamports: bigint;
  readonly owner: PublicKey;
  readonly data: Uint8Array;
}

/** Accounts per call, about 400 kB of JSON. */
const BATCH = 1_000;

/** Returns two years of rent at 3,480 lamports a byte-year, 128 bytes overhead. */
export function rentLamports(bytes: number): bigint {
  return BigInt(128 + bytes) * 6_960n;
}

const Balance = Compile(Type.Object({ value: Type.Union([Type.Integer({ minimum: 0 }), Type.BigInt()]) }));
const AccountInfo = Compile(Type.Object({ value: Type.Union([Type.Null(), Type.Object({})]) }));
const Address = Compile(Type.String({ minLength: 32, maxLength: 44 }));
const Anything = Compile(Type.Unknown());

/** `localnet_` methods exist only here. */
export interface LocalChain {
  exists(address: PublicKey): Promise<boolean>;
  faucet(): Promise<PublicKey>;
  writeAccounts(accounts: readonly WrittenAccount[]): Promise<void>;
  fundTo(wallet: PublicKey, lamports: bigint): Promise<void>;
}

export function createLocalChain(rpcUrl: string): LocalChain {
  const endpoint = createEndpoint({ url: rpcUrl, index: 0, timeoutMs: 10_000, fetch });
  return {
    async exists(address) {
      const info = await endpoint.call('getAccountInfo', [address.toBase58(), { encoding: 'base64' }], AccountInfo);
      return info.value !== null;
    },
    faucet: async () => new PublicKey(await endpoint.call('localnet_faucet', [], Address)),
    async writeAccounts(accounts) {
      for (const batch of batchesOf(accounts, BATCH)) await writeBatch(endpoint, batch);
    },
    async fundTo(wallet, lamports) {
      const balance = await endpoint.call('getBalance', [wallet.toBase58(), { commitment: 'processed' }], Balance);
      const missing = lamports - BigInt(balance.value);
      if (missing <= 0n) return;
      await endpoint.call('localnet_fund', [{ wallet: wallet.toBase58(), lamports: missing.toString() }], Anything);
    },
  };
}

async function writeBatch(endpoint: RpcEndpoint, accounts: readonly WrittenAccount[]): Promise<void> {
  const entries = accounts.map(({ address, lamports, owner, data }) => ({
    address: address.toBase58(),
    account: {
      lamports: lamports.toString(),
      owner: owner.toBase58(),
      data: Buffer.from(data).toString('base64'),
    },
  }));
  await endpoint.call('localnet_setAccounts', [{ accounts: entries }], Anything);
}
