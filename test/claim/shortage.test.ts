import { expect, test } from 'vitest';
import { claimShortageOf } from '../../domain/claim/shortage.ts';

const need = { wallet: 'W', networkFee: 25_000n, walletRent: 890_880n };
const rent = 2_039_280n;

test('a wallet that cannot pay a claim is told in SOL what lacks and what each part is for', () => {
  expect(claimShortageOf({ ...need, held: 1_000_000n, accountRents: [rent, rent] })).toBe(
    'wallet W holds 0.001 SOL and lacks 0.00399444 SOL: the claim takes 0.000025 SOL of network fee, 0.00407856 SOL rent of ' +
      '2 token accounts that it opens, 0.00089088 SOL rent of the wallet itself',
  );
  expect(claimShortageOf({ ...need, held: 2_500_000n, accountRents: [rent] })).toMatch(
    /lacks 0.00045516 SOL: .* 0.00203928 SOL rent of the token account that it opens/,
  );
  expect(claimShortageOf({ ...need, held: 900_000n, accountRents: [] })).not.toMatch(/token account/);
});

test('a wallet that keeps its own rent, or is emptied to nothing, lacks nothing', () => {
  expect(claimShortageOf({ ...need, held: 25_000n + 890_880n, accountRents: [] })).toBeUndefined();
  expect(claimShortageOf({ ...need, held: 25_000n + rent, accountRents: [rent] })).toBeUndefined();
});
