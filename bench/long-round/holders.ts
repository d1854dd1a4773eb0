import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { AccountLayout, AccountState, ACCOUNT_SIZE, AccountType, ExtensionType } from '@solana/spl-token';
import { PublicKey } from '@solana/web3.js';
import { tokenAccountOf } from '../../chain/tokens/associated-account.ts';
import { readTokens } from '../../chain/tokens/token-info.ts';
import { createLocalChain, rentLamports, type WrittenAccount } from '../../dev/seed/local-chain.ts';
import { tokenAccountBytes } from '../../dev/seed/token-bytes.ts';
import { batchesOf } from '../../domain/batches.ts';
import type { BoughtCoin, CoinFixture } from '../reward-round/coin.ts';
import type { TokenInfo } from '../../chain/tokens/token.ts';

/** By holder, base58. */
export type HeldAccounts = ReadonlyMap<string, string>;

const WRITTEN_AT_ONCE = 2_000;

/** Before an Ed25519 key. */
const SPKI_HEAD = 12;

export async function writeHolders(
  { own, rig }: CoinFixture,
  { mint, pair, trader }: BoughtCoin,
  count: number,
): Promise<HeldAccounts> {
  const { connection } = rig.rpc;
  const [base, quote] = await readTokens(connection, [new PublicKey(mint), pair.mint]);
  if (!base || !quote) throw new Error(`${mint} is not on the chain`);
  const address = tokenAccountOf(base, trader.publicKey);
  const giver = await connection.getAccountInfo(address, 'confirmed');
  if (!giver) throw new Error(`${trader.publicKey.toBase58()} has no account of ${mint}`);
  const left = Buffer.from(giver.data);
  const has = left.readBigUInt64LE(AMOUNT_AT);
  const raw = (has * 9n) / 10n / BigInt(count);
  left.writeBigUInt64LE(has - raw * BigInt(count), AMOUNT_AT);
  const chain = createLocalChain(own.stack.rpcUrl);
  await chain.writeAccounts([{ address, owner: giver.owner, data: left, lamports: BigInt(giver.lamports) }]);
  const owners = Array.from({ length: count }, newWallet);
  const held = new Map<string, string>();
  for (const page of batchesOf(owners, WRITTEN_AT_ONCE)) {
    const accounts = page.flatMap((owner) => {
      const account = tokenAccountOf(quote, owner);
      held.set(owner.toBase58(), account.toBase58());
      return [
        written(new PublicKey(randomBytes(32)), base, taxedAccountBytes(base, owner, raw)),
        written(account, quote, tokenAccountBytes(pair, owner, 0n)),
      ];
    });
    await chain.writeAccounts(accounts);
  }
  return held;
}

export const AMOUNT_AT = 64;

function newWallet(): PublicKey {
  const key = generateKeyPairSync('ed25519').publicKey.export({ type: 'spki', format: 'der' });
  return new PublicKey(key.subarray(SPKI_HEAD));
}

function written(address: PublicKey, { tokenProgram }: TokenInfo, data: Uint8Array): WrittenAccount {
  return { address, owner: tokenProgram, data, lamports: rentLamports(data.length) };
}

function taxedAccountBytes({ mint }: TokenInfo, owner: PublicKey, amount: bigint): Uint8Array {
  const account = Buffer.alloc(ACCOUNT_SIZE);
  AccountLayout.encode(
    {
      mint,
      owner,
      amount,
      delegateOption: 0,
      delegate: PublicKey.default,
      state: AccountState.Initialized,
      isNativeOption: 0,
      isNative: 0n,
      delegatedAmount: 0n,
      closeAuthorityOption: 0,
      closeAuthority: PublicKey.default,
    },
    account,
  );
  const head = Buffer.alloc(4);
  head.writeUInt16LE(ExtensionType.TransferFeeAmount, 0);
  head.writeUInt16LE(8, 2);
  return Buffer.concat([account, Buffer.of(AccountType.Account), head, Buffer.alloc(8)]);
}
