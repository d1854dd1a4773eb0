import { expect, test } from 'vitest';
import { type PrepareBody, PrepareBodySchema } from '../../../api/launch/prepare-body.ts';
import { parseWish } from '../../../api/launch/wish.ts';
import { validatorCompiler } from '../../../api/plugins/validation.ts';

const REQUIRED = {
  creatorWallet: 'So11111111111111111111111111111111111111112',
  quoteMint: 'So11111111111111111111111111111111111111112',
  name: 'Harbour Light',
  symbol: 'HARBOR',
  logo: 'data:image/png;base64,iVBORw0KGgo=',
};

const compiled = validatorCompiler({
  schema: PrepareBodySchema,
  method: 'POST',
  url: '/launches/prepare',
  httpPart: 'body',
});

/** The body as its handler gets it. */
function read(fields: object): PrepareBody {
  const { value, error } = compiled({ ...REQUIRED, ...fields }) as { value: PrepareBody; error?: Error };
  if (error) throw error;
  return value;
}

const optional = Object.keys(PrepareBodySchema.properties).filter((name) => !(name in REQUIRED));

test.each([
  // Python's None, a form that was left empty, a client whose types know no absence.
  { website: null },
  Object.fromEntries(optional.map((name) => [name, null])),
  { website: '' },
  { twitter: '', telegram: '' },
  { devBuySol: 0 },
  { devBuyPercent: 0 },
  Object.fromEntries(optional.map((name) => [name, ''])),
  { devBuySol: '0', devBuyPercent: '0.00', airdropPercent: 0 },
  { rewardTaxBps: null, mode: '' },
  { feeTier: '  ', feeRecipient: null },
])('prepare with %j is prepare without these fields', (fields) => {
  expect(read(fields)).toEqual(read({}));
});

test.each([
  [{ devBuySol: 0.1, devBuyPercent: 0 }, { devBuySol: '0.1' }],
  [{ devBuySol: '0.25', devBuyPercent: null }, { devBuySol: '0.25' }],
  [{ devBuySol: '', devBuyPercent: '1' }, { devBuyPercent: '1' }],
])('a dev buy given as %j excludes nothing, because the other field is no value', (fields, expected) => {
  const body = read(fields);
  expect(body).toEqual({ ...read({}), ...expected });
  expect(parseWish(body).devBuy).toBeDefined();
});

test('both ways to ask for a dev buy are refused together', () => {
  expect(() => parseWish(read({ devBuySol: 0.1, devBuyPercent: 1 }))).toThrow('exclude each other');
});
