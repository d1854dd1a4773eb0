import { AddressLookupTableProgram } from '@solana/web3.js';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { base64, SOL, someone, startChain, type TestChain, transfer } from '../../support/dev/localnet-chain.ts';
import { createTable, readTable } from '../../support/dev/lookup-tables.ts';

let chain: TestChain;
beforeEach(async () => {
  chain = await startChain();
});
afterEach(() => chain.node.close());

const preflight = { encoding: 'base64', preflightCommitment: 'processed' };

test('addresses of a lookup table are usable one slot after they were added and not before', async () => {
  const to = someone();
  const { key } = await createTable(chain, []);
  const authority = chain.wallet.publicKey;
  const extend = AddressLookupTableProgram.extendLookupTable({
    lookupTable: key,
    authority,
    payer: authority,
    addresses: [to],
  });
  await chain.land(await chain.sign([extend]));
  const tables = [await readTable(chain, key)];
  const wire = base64(await chain.sign([transfer(chain.wallet, to, SOL)], { tables }));
  const error = await chain.failure('sendTransaction', [wire, preflight]);
  expect(error.data?.err).toBe('InvalidAddressLookupTableIndex');
  chain.advance(1);
  expect(await chain.call('sendTransaction', [wire, preflight])).toBeTypeOf('string');
  expect(await chain.balance(to)).toBe(Number(SOL));
});

test('a transaction with a lookup table shows which addresses it loaded', async () => {
  const to = someone();
  const tables = [await createTable(chain, [someone(), to])];
  const signature = await chain.run([transfer(chain.wallet, to, SOL)], { tables });
  const { meta, version } = await chain.transaction(signature);
  expect(version).toBe(0);
  expect(meta.loadedAddresses).toEqual({ writable: [to.toBase58()], readonly: [] });
  expect(meta.postBalances).toHaveLength(3);
  const parsed = await chain.transaction(signature, { encoding: 'jsonParsed' });
  expect(parsed.transaction.message.accountKeys).toContainEqual({
    pubkey: to.toBase58(),
    signer: false,
    source: 'lookupTable',
    writable: true,
  });
});

test('a table that does not exist is named as the reason', async () => {
  const to = someone();
  const table = await createTable(chain, [to]);
  const wire = base64(await chain.sign([transfer(chain.wallet, to, SOL)], { tables: [table] }));
  chain.node.control.setAccounts([[table.key.toBase58(), null]]);
  const error = await chain.failure('sendTransaction', [wire, preflight]);
  expect(error.data?.err).toBe('AddressLookupTableNotFound');
});
