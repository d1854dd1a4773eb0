import { Connection, Keypair, SystemProgram } from '@solana/web3.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createRpc } from '../../../chain/rpc/rpc.ts';
import { land, type Lander, NotLandedError } from '../../../chain/transactions/land.ts';
import { type Localnet, startLocalnet } from '../../../dev/localnet/index.ts';
import { startLiar } from '../../support/rpc/scripted-node.ts';

const payer = Keypair.generate();

let localnet: Localnet;
let lander: Lander;
beforeAll(async () => {
  localnet = await startLocalnet({ slotMs: 20 });
  localnet.control.fund(payer.publicKey.toBase58(), 1_000_000_000n);
  localnet.control.advanceSlots(2);
  lander = { rpc: createRpc({ endpoints: [localnet.rpcUrl] }), payer, computeUnitPrice: 1_000n, pollMs: 20 };
});
afterAll(() => localnet.close());

const transferTo = (to: Keypair, lamports: number) =>
  SystemProgram.transfer({ fromPubkey: payer.publicKey, toPubkey: to.publicKey, lamports });

test('a transaction that succeeds is confirmed when its signature is answered', async () => {
  const receiver = Keypair.generate();
  const signature = await land(lander, [transferTo(receiver, 5_000_000)], 10_000);
  const connection = new Connection(localnet.rpcUrl, 'confirmed');
  expect(await connection.getBalance(receiver.publicKey)).toBe(5_000_000);
  expect((await connection.getSignatureStatus(signature)).value?.err).toBeNull();
});

test('one that fails says how', async () => {
  const tooMuch = land(lander, [transferTo(Keypair.generate(), 900_000_000_000)], 10_000);
  await expect(tooMuch).rejects.toThrow(NotLandedError);
  await expect(land(lander, [transferTo(Keypair.generate(), 900_000_000_000)], 10_000)).rejects.toThrow(
    /failed: .*Custom/,
  );
});

test('one that no leader takes is given up once its blockhash has run out, and is sent again until then', async () => {
  let sent = 0;
  const dropped = async () => {
    sent++;
    if (sent === 2) localnet.control.expireBlockhashes();
    return { taken: 0, alreadyProcessed: false, failures: [] };
  };
  const rpc = { ...lander.rpc, sendWire: dropped };
  await expect(land({ ...lander, rpc }, [transferTo(Keypair.generate(), 1)], 10_000)).rejects.toThrow(
    'did not land in time',
  );
  expect(sent).toBeGreaterThanOrEqual(2);
});

test('it is given up on a chain that does not go on, and where nobody waits any more', async () => {
  const waits: number[] = [];
  const sleep = async (ms: number) => void waits.push(ms);
  const standing = { slot: 1, blockHeight: 1 };
  const rpc = { ...lander.rpc, sendWire: dropped, agreedHead: async () => standing, head: async () => standing };
  const waiting = { ...lander, rpc, pollMs: 10_000 };
  const transfer = [transferTo(Keypair.generate(), 1)];
  await expect(land({ ...waiting, sleep }, transfer, 10_000)).rejects.toThrow('did not land in time');
  expect(waits.reduce((sum, ms) => sum + ms, 0)).toBeLessThan(200_000);
  const cancelled = () => Promise.reject(new Error('cancelled'));
  await expect(land({ ...waiting, sleep: cancelled }, transfer, 10_000)).rejects.toThrow('cancelled');
});

const dropped = () => Promise.resolve({ taken: 0, alreadyProcessed: false, failures: [] });

test.each<readonly [string, (method: string, result: unknown) => unknown]>([
  [
    'names a blockhash that is good for ever',
    (method, result) => {
      const value = {
        blockhash: Keypair.generate().publicKey.toBase58(),
        lastValidBlockHeight: Number.MAX_SAFE_INTEGER,
      };
      return method === 'getLatestBlockhash' ? { ...(result as object), value } : result;
    },
  ],
  [
    'is far ahead',
    (method, result) =>
      method === 'getEpochInfo' ? { ...(result as object), absoluteSlot: 10 ** 12, blockHeight: 10 ** 12 } : result,
  ],
])('one of three endpoints that %s changes nothing', async (_what, lie) => {
  await using liar = await startLiar(localnet.rpcUrl, lie);
  const [a, b] = ['a', 'b'].map((name) => `${localnet.rpcUrl}/rpc/${name}`);
  const rpc = createRpc({ endpoints: [liar.url, a!, b!] });
  const receiver = Keypair.generate();
  await land({ ...lander, rpc }, [transferTo(receiver, 5_000_000)], 10_000);
  expect(await new Connection(localnet.rpcUrl, 'confirmed').getBalance(receiver.publicKey)).toBe(5_000_000);
});
