import { Keypair, type PublicKey } from '@solana/web3.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { decodePoolState, POOL_STATE } from '../../../../chain/exchange/raydium/accounts/pool-state.ts';
import { accountDiscriminator } from '../../../../chain/exchange/raydium/discriminators.ts';
import { CLMM_PROGRAM_ID } from '../../../../chain/exchange/raydium/programs.ts';
import { createRaydiumExchange } from '../../../../chain/exchange/raydium/raydium-exchange.ts';
import { RpcUnavailableError } from '../../../../chain/rpc/json-rpc.ts';
import { type Localnet, startLocalnet } from '../../../../dev/localnet/index.ts';
import { countingConnection } from '../../../support/exchange/counting-connection.ts';
import { accountWith } from '../../../support/exchange/raydium/real-program.ts';

let localnet: Localnet;
beforeAll(async () => {
  localnet = await startLocalnet({ slotMs: 0 });
});
afterAll(() => localnet.close());

const key = () => Keypair.generate().publicKey;

/** A pool that nobody launched here: just its account, by the published layout. */
function writePool(tick: number): Record<'pool' | 'token0' | 'token1' | 'vault0' | 'vault1', PublicKey> {
  const named = { pool: key(), token0: key(), token1: key(), vault0: key(), vault1: key() };
  const data = Buffer.alloc(POOL_STATE.bytes);
  accountDiscriminator(POOL_STATE.name).copy(data);
  [named.token0, named.token1, named.vault0, named.vault1].forEach((each, index) => {
    each.toBuffer().copy(data, 73 + 32 * index);
  });
  data.writeUInt16LE(60, 235);
  data.writeBigUInt64LE(5_000n, 237);
  data.writeBigUInt64LE(7n, 253);
  data.writeBigUInt64LE(1n, 261);
  data.writeInt32LE(tick, 269);
  localnet.control.setAccounts([[named.pool.toBase58(), accountWith(data, CLMM_PROGRAM_ID)]]);
  return named;
}

test('150 pools are read with two calls, in the order asked for, also those that nobody launched here', async () => {
  const pools = Array.from({ length: 75 }, (_, index) => writePool(index - 40));
  localnet.control.advanceSlots(2);
  const { connection, calls } = countingConnection(localnet.rpcUrl);
  const exchange = createRaydiumExchange({ connection, feeKeyMetadata: false });
  const asked = pools.flatMap(({ pool }) => [pool, key()]);
  const read = await exchange.readPools(asked);
  expect(calls).toEqual(['getMultipleAccounts', 'getMultipleAccounts']);
  expect(read).toHaveLength(150);
  pools.forEach((named, index) => {
    expect(read[2 * index]).toMatchObject({
      ...named,
      tick: index - 40,
      activeLiquidity: 5_000n,
      sqrtPriceX64: (1n << 64n) + 7n,
    });
    expect(read[2 * index + 1]).toBeNull();
  });
});

test('an account that is no pool is refused by name', async () => {
  const { connection } = countingConnection(localnet.rpcUrl);
  const exchange = createRaydiumExchange({ connection, feeKeyMetadata: false });
  const wallet = key();
  localnet.control.fund(wallet.toBase58(), 1_000_000n);
  localnet.control.advanceSlots(2);
  await expect(exchange.readPools([wallet])).rejects.toThrow(`${wallet.toBase58()} is no PoolState`);
});

test('a recorded position or pool that an endpoint lacks is answered as not seen, never as wrong', async () => {
  const { connection } = countingConnection(localnet.rpcUrl);
  const exchange = createRaydiumExchange({ connection, feeKeyMetadata: false });
  const [pool, feeKeyMint] = [key(), key()];
  const unseen = await exchange.readClaimable(pool, feeKeyMint).catch((error: unknown) => error);
  expect(unseen).toBeInstanceOf(RpcUnavailableError);
  expect(unseen).toMatchObject({
    message: `an RPC endpoint has not seen Fee Key ${feeKeyMint.toBase58()} of pool ${pool.toBase58()}`,
  });
  expect(() => decodePoolState(pool, null)).toThrow(RpcUnavailableError);
});
