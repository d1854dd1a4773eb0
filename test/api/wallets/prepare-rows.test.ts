import { expect, test } from 'vitest';
import { prepareRows } from '../../../api/wallets/prepare-rows.ts';
import { RpcUnavailableError } from '../../../chain/rpc/json-rpc.ts';
import { AppError } from '../../../domain/errors.ts';

const rowsOf = (...mints: string[]) => mints.map((mint) => ({ mint }));
const log = { warn: () => undefined };

test('a position that fails is deferred alone, whatever the failure, and issued claims are returned', async () => {
  const failures: Readonly<Record<string, Error>> = {
    b: new RpcUnavailableError('node-7.internal is away'),
    c: new Error('its position is not on the chain'),
    d: new AppError('rate_limited', 'at most 20 a minute'),
    e: new AppError('conflict', 'not yours'),
  };
  const prepare = async ({ mint }: { readonly mint: string }) => {
    if (failures[mint]) throw failures[mint];
    return mint === 'f' ? null : { claimOf: mint };
  };
  const { claims, deferred } = await prepareRows(rowsOf('a', 'b', 'c', 'd', 'e', 'f', 'g'), {
    leftMs: () => 1,
    prepare,
    log,
  });
  expect(claims).toEqual([{ claimOf: 'a' }, { claimOf: 'g' }]);
  expect(new Map(deferred.map(({ mint, reason }) => [mint, reason]))).toEqual(
    new Map([
      ['b', expect.stringContaining('prepare it again')],
      ['c', expect.stringContaining('prepare it again')],
      ['d', 'at most 20 a minute'],
      ['e', 'not yours'],
    ]),
  );
  expect(JSON.stringify(deferred)).not.toContain('node-7');
});

test('no position begins after the end of the request: the rest is deferred', async () => {
  let leftMs = 20;
  const begun: string[] = [];
  const { claims, deferred } = await prepareRows(rowsOf('a', 'b', 'c', 'd', 'e'), {
    leftMs: () => leftMs,
    prepare: async (row) => {
      begun.push(row.mint);
      leftMs -= 10;
      return row;
    },
    log,
  });
  expect([begun, claims]).toEqual([['a', 'b'], rowsOf('a', 'b')]);
  expect(deferred.map(({ mint }) => mint)).toEqual(['c', 'd', 'e']);
});
