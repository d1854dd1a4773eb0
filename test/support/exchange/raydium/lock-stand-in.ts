import {
  createAssociatedTokenAccountInstruction,
  createInitializeMint2Instruction,
  createMintToInstruction,
  createTransferCheckedInstruction,
  MINT_SIZE,
  TOKEN_2022_PROGRAM_ID,
  TOKEN_PROGRAM_ID,
} from '@solana/spl-token';
import { PublicKey, SystemProgram, type TransactionInstruction } from '@solana/web3.js';
import type { InstructionGroup, LaunchPoolRequest } from '../../../../chain/exchange/exchange.ts';
import { LOCKED_POSITION } from '../../../../chain/exchange/raydium/accounts/locked-position.ts';
import {
  feeKeyAccount,
  LOCK_AUTHORITY,
  lockedPositionAddress,
  personalPositionAddress,
  positionNftAccount,
} from '../../../../chain/exchange/raydium/addresses.ts';
import { accountDiscriminator } from '../../../../chain/exchange/raydium/discriminators.ts';
import { launchedPool } from '../../../../chain/exchange/raydium/launch.ts';
import { FIXED_ADDRESSES } from '../../../../chain/exchange/raydium/lookup.ts';
import { LOCK_PROGRAM_ID } from '../../../../chain/exchange/raydium/programs.ts';
import type { ChainControl } from '../../../../dev/localnet/index.ts';

const MINT_RENT_LAMPORTS = 1_461_600;
const LOCK_LAMPORTS = 2_568_240n;

/**
 * What stands in for the lock program in tests, because its ELF cannot be had: the launch wallet itself sends each
 * position's NFT to a keeper (default: the lock program's authority) and mints the Fee Key, and the lock's account is put on the chain as
 * the published interface lays it out. It proves how locked positions are read, not that the lock program makes them so.
 */
export function lockStandIn(
  control: ChainControl,
  request: LaunchPoolRequest,
  keeper = LOCK_AUTHORITY,
): InstructionGroup {
  for (const index of [0, 1] as const) control.setAccounts([lockAccount(request, index, keeper)]);
  const lock = (index: 0 | 1) => [...keepNft(request, index, keeper), ...makeFeeKey(request, index)];
  return {
    instructions: [...lock(0), ...lock(1)],
    signers: [],
    computeUnits: 400_000,
    lookupAddresses: [...FIXED_ADDRESSES],
  };
}

function keepNft(
  { addresses, launchWallet }: LaunchPoolRequest,
  index: 0 | 1,
  keeper: PublicKey,
): TransactionInstruction[] {
  const mint = new PublicKey(addresses.positionMints[index]);
  const [from, to] = [positionNftAccount(mint, launchWallet), positionNftAccount(mint, keeper)];
  return [
    createAssociatedTokenAccountInstruction(launchWallet, to, keeper, mint, TOKEN_2022_PROGRAM_ID),
    createTransferCheckedInstruction(from, mint, to, launchWallet, 1n, 0, [], TOKEN_2022_PROGRAM_ID),
  ];
}

function makeFeeKey(request: LaunchPoolRequest, index: 0 | 1): TransactionInstruction[] {
  const { addresses, launchWallet, feeKeyHolders } = request;
  const mint = new PublicKey(addresses.feeKeyMints[index]);
  const account = feeKeyAccount(mint, feeKeyHolders[index]);
  return [
    SystemProgram.createAccount({
      fromPubkey: launchWallet,
      newAccountPubkey: mint,
      space: MINT_SIZE,
      lamports: MINT_RENT_LAMPORTS,
      programId: TOKEN_PROGRAM_ID,
    }),
    // Its own key signs here and nowhere else; dropping the authority would not fit the packet.
    createInitializeMint2Instruction(mint, 0, mint, null),
    createAssociatedTokenAccountInstruction(launchWallet, account, feeKeyHolders[index], mint),
    createMintToInstruction(mint, account, mint, 1n),
  ];
}

function lockAccount(request: LaunchPoolRequest, index: 0 | 1, keeper: PublicKey) {
  const feeKeyMint = new PublicKey(request.addresses.feeKeyMints[index]);
  const positionMint = new PublicKey(request.addresses.positionMints[index]);
  const keys = [
    request.launchWallet,
    launchedPool(request).address,
    personalPositionAddress(positionMint),
    positionNftAccount(positionMint, keeper),
    feeKeyMint,
  ];
  const data = Buffer.alloc(LOCKED_POSITION.bytes);
  accountDiscriminator(LOCKED_POSITION.name).copy(data);
  keys.forEach((key, place) => key.toBuffer().copy(data, 9 + 32 * place));
  const account = { lamports: LOCK_LAMPORTS, data, owner: LOCK_PROGRAM_ID.toBase58(), executable: false };
  return [lockedPositionAddress(feeKeyMint).toBase58(), account] as const;
}
