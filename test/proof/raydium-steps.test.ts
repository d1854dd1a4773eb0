import { Keypair, type TransactionInstruction } from '@solana/web3.js';
import { expect, it } from 'vitest';
import { planLaunch } from '../../chain/exchange/opening.ts';
import {
  LOCK_AUTHORITY as AUTHORITY,
  lockedPositionAddress,
  personalPositionAddress,
  positionNftAccount,
} from '../../chain/exchange/raydium/addresses.ts';
import { buildLocks, buildPool, launchedPool } from '../../chain/exchange/raydium/launch.ts';
import type { Instruction } from '../../client/solana/message.ts';
import { LOCK_AUTHORITY, placesOf } from '../../client/verify/launch/liquidity-checks.ts';
import { readRaydiumLaunch } from '../../client/verify/launch/raydium-steps.ts';
import { localFees } from '../../dev/stand-in/state.ts';
import { LAUNCH_CASES } from '../support/exchange/contract-launch.ts';
import { drawParties, nameOf, poolRequest } from '../support/exchange/launch-request.ts';
import { landed } from '../support/proof/scripted-chain.ts';

const instructionOf = ({ programId, keys, data }: TransactionInstruction): Instruction => {
  const accounts = keys.map(({ pubkey, isSigner, isWritable }) => ({
    address: pubkey.toBase58(),
    isSigner,
    isWritable,
  }));
  return { program: programId.toBase58(), accounts, data: Uint8Array.from(data) };
};

it.each(LAUNCH_CASES.map((one) => [nameOf(one), one] as const))(
  'pool, positions and locks are read as the adapter of Raydium writes them: %s',
  async (_name, one) => {
    const quoteMint = Keypair.generate().publicKey;
    const parties = drawParties(quoteMint, one.baseFirst);
    const exchange = { poolFees: () => Promise.resolve(localFees('1%')), planLaunch };
    const request = await poolRequest(exchange, one, parties, quoteMint);
    const [pool, locks] = [buildPool(request), buildLocks(request, false)].map(({ instructions }, step) =>
      landed({ signature: String(step), slot: 1, instructions: instructions.map(instructionOf) }),
    );
    if (!pool || !locks) throw new Error('the adapter builds no launch');
    const read = readRaydiumLaunch({ pool, locks });
    const accounts = launchedPool(request);
    expect(read).toEqual({
      pool: accounts.address.toBase58(),
      positions: [0, 1].map((index) => ({
        positionMint: request.addresses.positionMints[index],
        feeKeyMint: request.addresses.feeKeyMints[index],
        liquidity: request.plan.positions[index]?.liquidity,
        tickLower: request.plan.tickLower,
        tickUpper: request.plan.tickUpper,
      })),
    });
    const [position, feeKey] = [parties.positionMints[1].publicKey, parties.feeKeyMints[1].publicKey];
    expect([LOCK_AUTHORITY, placesOf(read.positions[1])]).toEqual([
      AUTHORITY.toBase58(),
      {
        lock: lockedPositionAddress(feeKey).toBase58(),
        position: personalPositionAddress(position).toBase58(),
        nft: positionNftAccount(position, AUTHORITY).toBase58(),
      },
    ]);
  },
);
