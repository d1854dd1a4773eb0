import { afterAll, beforeAll, expect, test } from 'vitest';
import { raydiumAdapter } from '../../../../chain/exchange/raydium/raydium-adapter.ts';
import { createRpc } from '../../../../chain/rpc/rpc.ts';
import { raydiumTiers } from '../../../../dev/seed/raydium-tiers.ts';
import { type Localnet, startLocalnet } from '../../../../dev/localnet/index.ts';
import { accountWith } from '../../../support/exchange/raydium/real-program.ts';
import { startLiar } from '../../../support/rpc/scripted-node.ts';

let localnet: Localnet;
beforeAll(async () => {
  localnet = await startLocalnet({ slotMs: 0 });
  localnet.control.setAccounts(
    raydiumTiers().map(({ address, data, owner }) => [address.toBase58(), accountWith(Buffer.from(data), owner)]),
  );
  localnet.control.advanceSlots(2);
});
afterAll(() => localnet.close());

/** Where a configuration keeps what the protocol takes of the fee, ppm. */
const PROTOCOL_PPM_AT = 8 + 1 + 2 + 32;

interface Account {
  readonly data: readonly [string, string];
}

/** What a node answers that has the pools of a tier take nothing for the protocol. */
function cheapens(_method: string, result: unknown): unknown {
  const { value, ...rest } = result as { value: readonly Account[] | Account };
  const cheap = (account: Account) => {
    const data = Buffer.from(account.data[0], 'base64');
    data.writeUInt32LE(0, PROTOCOL_PPM_AT);
    return { ...account, data: [data.toString('base64'), 'base64'] };
  };
  return { ...rest, value: 'data' in value ? cheap(value) : value.map(cheap) };
}

test('the rates that a launch is signed by are those of two endpoints, whatever a third one says', async () => {
  await using liar = await startLiar(localnet.rpcUrl, cheapens);
  const among = (...names: string[]) => {
    const rpc = createRpc({ endpoints: [liar.url, ...names.map((name) => `${localnet.rpcUrl}/rpc/${name}`)] });
    return raydiumAdapter('').open(rpc.connection, localnet.genesisHash, rpc).poolFees('1%');
  };
  expect((await among('a', 'b')).protocolPpm).toBeGreaterThan(0);
  await expect(among('a')).rejects.toThrow('no quorum of RPC endpoints has the same account');
});
