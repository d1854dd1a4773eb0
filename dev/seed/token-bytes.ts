import {
  AccountLayout,
  AccountState,
  ACCOUNT_SIZE,
  AccountType,
  ExtensionType,
  MintLayout,
  MINT_SIZE,
  TOKEN_2022_PROGRAM_ID,
  TransferFeeAmountLayout,
  TransferFeeConfigLayout,
} from '@solana/spl-token';
import { PublicKey } from '@solana/web3.js';
import type { SeedPair } from './local-pairs.ts';

/**
 * Encodes a mint without freeze authority. A Token-2022 mint contains its metadata.
 *
 * @param mintAuthority absent: fixed supply
 */
export function mintBytes(pair: SeedPair, supplyRaw: bigint, mintAuthority?: PublicKey): Uint8Array {
  const mint = Buffer.alloc(MINT_SIZE);
  MintLayout.encode(
    {
      mintAuthorityOption: mintAuthority ? 1 : 0,
      mintAuthority: mintAuthority ?? PublicKey.default,
      supply: supplyRaw,
      decimals: pair.decimals,
      isInitialized: true,
      freezeAuthorityOption: 0,
      freezeAuthority: PublicKey.default,
    },
    mint,
  );
  if (!pair.tokenProgram.equals(TOKEN_2022_PROGRAM_ID)) return mint;
  return withExtensions(mint, AccountType.Mint, [
    [ExtensionType.MetadataPointer, Buffer.concat([noAuthority(), pair.mint.toBuffer()])],
    [ExtensionType.TokenMetadata, tokenMetadata(pair)],
    ...(pair.transferFeeBps === undefined ? [] : [transferFeeConfig(pair.transferFeeBps)]),
  ]);
}

export function tokenAccountBytes(pair: SeedPair, owner: PublicKey, amountRaw: bigint): Uint8Array {
  const account = Buffer.alloc(ACCOUNT_SIZE);
  AccountLayout.encode(
    {
      mint: pair.mint,
      owner,
      amount: amountRaw,
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
  if (!pair.tokenProgram.equals(TOKEN_2022_PROGRAM_ID)) return account;
  return withExtensions(account, AccountType.Account, [
    [ExtensionType.ImmutableOwner, Buffer.alloc(0)],
    ...(pair.transferFeeBps === undefined ? [] : [nothingWithheld()]),
  ]);
}

type Extension = [ExtensionType, Buffer];

/** No key can change the fee, or withdraw what is withheld. */
function transferFeeConfig(transferFeeBasisPoints: number): Extension {
  const fee = { epoch: 0n, maximumFee: 2n ** 64n - 1n, transferFeeBasisPoints };
  const config = Buffer.alloc(TransferFeeConfigLayout.span);
  TransferFeeConfigLayout.encode(
    {
      transferFeeConfigAuthority: PublicKey.default,
      withdrawWithheldAuthority: PublicKey.default,
      withheldAmount: 0n,
      olderTransferFee: fee,
      newerTransferFee: fee,
    },
    config,
  );
  return [ExtensionType.TransferFeeConfig, config];
}

function nothingWithheld(): Extension {
  return [ExtensionType.TransferFeeAmount, Buffer.alloc(TransferFeeAmountLayout.span)];
}

function withExtensions(base: Buffer, type: AccountType, extensions: readonly Extension[]): Uint8Array {
  const entries = extensions.flatMap(([extension, value]) => [uint(extension, 2), uint(value.length, 2), value]);
  return Buffer.concat([base, Buffer.alloc(ACCOUNT_SIZE - base.length), Buffer.of(type), ...entries]);
}

function tokenMetadata(pair: SeedPair): Buffer {
  const texts = [pair.name, pair.symbol, ''].map((text) => Buffer.from(text));
  return Buffer.concat([
    noAuthority(),
    pair.mint.toBuffer(),
    ...texts.flatMap((text) => [uint(text.length, 4), text]),
    uint(0, 4),
  ]);
}

function noAuthority(): Buffer {
  return Buffer.alloc(32);
}

function uint(value: number, bytes: 2 | 4): Buffer {
  const buffer = Buffer.alloc(bytes);
  buffer.writeUIntLE(value, 0, bytes);
  return buffer;
}
