import { TOKEN_PROGRAM_ID } from '@solana/spl-token';
import { Connection, Keypair, type PublicKey } from '@solana/web3.js';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { tableAccount } from '../../bench/launch-costs/table-account.ts';
import { raydiumAdapter } from '../../chain/exchange/raydium/raydium-adapter.ts';
import { createStandInExchange } from '../../dev/stand-in/stand-in-exchange.ts';
import { createRaydiumExchange } from '../../chain/exchange/raydium/raydium-exchange.ts';
import { checkExchange, type LaunchChecks } from '../../chain/launch/check-exchange.ts';
import { exchangeEntries, pairEntries, type TableEntry } from '../../chain/launch/table-contents.ts';
import { RpcUnavailableError } from '../../chain/rpc/json-rpc.ts';
import { createRpc } from '../../chain/rpc/rpc.ts';
import { LookupTableError, agreedLookupTablesAt, withoutLookupTables } from '../../chain/transactions/lookup-table.ts';
import { type Localnet, startLocalnet } from '../../dev/localnet/index.ts';
import { createLocalChain, type WrittenAccount } from '../../dev/seed/local-chain.ts';
import { raydiumTiers, tierAccount } from '../../dev/seed/raydium-tiers.ts';
import { emptied, startLiar } from '../support/rpc/scripted-node.ts';

const key = () => Keypair.generate().publicKey;
const AUTHORITY_OPTION_OFFSET = 21;

let localnet: Localnet;
let connection: Connection;
let exchange: LaunchChecks['exchange'];
beforeAll(async () => {
  localnet = await startLocalnet({ slotMs: 0 });
  localnet.control.advanceSlots(3);
  connection = new Connection(localnet.rpcUrl, 'confirmed');
  exchange = createRaydiumExchange({ connection, feeKeyMetadata: false });
});
beforeEach(() => write(raydiumTiers()));
afterAll(() => localnet.close());

async function write(accounts: readonly WrittenAccount[]): Promise<void> {
  await createLocalChain(localnet.rpcUrl).writeAccounts(accounts);
  localnet.control.advanceSlots(2);
}

const TREASURY = key();
const PAIR = { mint: key().toBase58(), symbol: 'PAIR', decimals: 6, tokenProgram: TOKEN_PROGRAM_ID.toBase58() };
const complete = () => [...exchangeEntries(exchange), ...pairEntries(PAIR, TREASURY)];

/** What a process would launch with that has a table of these addresses; `owner` may extend the table. */
async function groundWith(entries: readonly TableEntry[], owner?: PublicKey): Promise<LaunchChecks> {
  const addresses = entries.map(({ address }) => address);
  const table = tableAccount(key(), addresses);
  const data = Buffer.from(table.data);
  if (owner) {
    data[AUTHORITY_OPTION_OFFSET] = 1;
    owner.toBuffer().copy(data, AUTHORITY_OPTION_OFFSET + 1);
  }
  await write([{ ...table, data }]);
  const lookupTables = agreedLookupTablesAt(createRpc({ endpoints: [localnet.rpcUrl] }), [table.address.toBase58()]);
  return { exchange, lookupTables, pairs: [PAIR], treasury: TREASURY };
}

describe('at start', () => {
  test('a table with everything and two open tiers give no warning, and the rates as they are', async () => {
    const { facts, warnings } = await checkExchange(await groundWith(complete()));
    expect(warnings).toEqual([]);
    expect(facts).toEqual([
      'the 1% tier takes 10000 ppm, 120000 ppm of it to the protocol, 40000 ppm to the fund, tick spacing 120',
      'the 2% tier takes 20000 ppm, 120000 ppm of it to the protocol, 40000 ppm to the fund, tick spacing 120',
    ]);
  });

  test('a tier that takes another fee, or that is gone, is a warning; the other is open', async () => {
    await write([tierAccount(3, 2_500)]);
    const ground = await groundWith(complete());
    expect(await checkExchange(ground)).toMatchObject({
      facts: [expect.stringContaining('2%')],
      warnings: [expect.stringContaining('the 1% tier is closed: its configuration')],
    });
    localnet.control.setAccounts([[tierAccount(3, 0).address.toBase58(), null]]);
    localnet.control.advanceSlots(2);
    expect((await checkExchange(ground)).warnings).toEqual([expect.stringContaining('there is no configuration')]);
  });

  test('a pair whose addresses the table lacks is a warning that names them and what adds them', async () => {
    const { warnings } = await checkExchange(await groundWith(exchangeEntries(exchange)));
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain(`lacks 2 addresses of listed pairs: PAIR: mint (${PAIR.mint})`);
    expect(warnings[0]).toContain("PAIR: treasury's account (");
    expect(warnings[0]).toContain('lookup-table extend');
  });

  test('a table that lacks what every launch names is refused, and each address is named', async () => {
    const [first, second, ...rest] = complete();
    const error = await checkExchange(await groundWith(rest)).catch((cause: unknown) => cause);
    expect(error).toBeInstanceOf(LookupTableError);
    for (const entry of [first, second]) expect(String(error)).toContain(entry?.address.toBase58());
    expect(String(error)).toContain('lacks 2 addresses');
  });

  test("somebody else's table is refused where the platform wallet is known; its own and one without owner are not", async () => {
    const [owner, stranger] = [key(), key()];
    const own = await groundWith(complete(), owner);
    expect((await checkExchange({ ...own, owner })).warnings).toEqual([]);
    expect((await checkExchange({ ...(await groundWith(complete())), owner })).warnings).toEqual([]);
    await expect(checkExchange({ ...own, owner: stranger })).rejects.toThrow(
      `belongs to ${owner.toBase58()}, not to the platform wallet ${stranger.toBase58()}`,
    );
  });

  test('no table at the address is refused', async () => {
    const lookupTables = agreedLookupTablesAt(createRpc({ endpoints: [localnet.rpcUrl] }), [key().toBase58()]);
    await expect(checkExchange({ exchange, lookupTables, pairs: [] })).rejects.toThrow('does not exist');
  });

  test('the local exchange needs no table', async () => {
    const local = createStandInExchange({ connection, seed: new Uint8Array(32), genesisHash: localnet.genesisHash });
    const report = await checkExchange({ exchange: local, lookupTables: withoutLookupTables, pairs: [PAIR] });
    expect(report.facts).toHaveLength(2);
    expect(report.warnings).toEqual([]);
  });
});

describe('the lookup table that launches are signed with', () => {
  const endpoint = (name: string) => `${localnet.rpcUrl}/rpc/${name}`;
  const read = (lookupTable: string, ...endpoints: string[]) => {
    const rpc = createRpc({ endpoints });
    return raydiumAdapter(lookupTable).lookupTables(rpc)();
  };

  test.each<readonly [string, (method: string, result: unknown) => unknown]>([
    [
      'denies it',
      (method, result) => {
        if (method === 'getAccountInfo') return { ...(result as object), value: null };
        return method === 'getMultipleAccounts' ? emptied(result) : result;
      },
    ],
    [
      'has other addresses in it',
      (method, result) => {
        if (method === 'getAccountInfo')
          return { ...(result as object), value: cut((result as { value: Written | null }).value) };
        return method === 'getMultipleAccounts'
          ? { ...(result as object), value: (result as { value: (Written | null)[] }).value.map(cut) }
          : result;
      },
    ],
  ])(
    'is a quorum’s word: one endpoint of three that %s changes nothing, one of two makes it wait',
    async (_what, lie) => {
      const addresses = complete().map(({ address }) => address);
      const table = tableAccount(key(), addresses);
      await write([table]);
      const address = table.address.toBase58();
      await using liar = await startLiar(localnet.rpcUrl, lie);
      const [found] = await read(address, liar.url, endpoint('a'), endpoint('b'));
      expect(found?.state.addresses.map(String)).toEqual(addresses.map(String));
      const disputed = await read(address, liar.url, endpoint('a')).catch((error: unknown) => error);
      expect(disputed).toBeInstanceOf(RpcUnavailableError);
      expect(await read(address, endpoint('a'))).toHaveLength(1);
    },
  );

  test('is refused where a quorum has none', async () => {
    const missing = read(key().toBase58(), endpoint('a'), endpoint('b'));
    await expect(missing).rejects.toThrow(LookupTableError);
  });
});

interface Written {
  readonly data: readonly [string, string];
}

/** An account as somebody has it who left out what its last 32 bytes name. */
function cut(account: Written | null) {
  return (
    account && {
      ...account,
      data: [Buffer.from(account.data[0], 'base64').subarray(0, -32).toString('base64'), 'base64'],
    }
  );
}
