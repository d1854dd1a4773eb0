import { readUint } from '../solana/bytes.ts';
import { isTokenProgram } from '../solana/programs.ts';
import type { Landed } from './landed.ts';

export interface Burn {
  readonly account: string | undefined;
  readonly mint: string | undefined;
  readonly raw: bigint;
}

/** `Burn` and `BurnChecked`: number, amount; account, mint, owner (spl-token, instruction.rs). */
const BURNS: readonly (number | undefined)[] = [8, 15];

/** Burns that a transaction itself has, not those of programs it calls. Lookup tables may have named their accounts. */
export function burnsIn({ instructions }: Pick<Landed, 'instructions'>): Burn[] {
  return instructions
    .filter(({ program }) => isTokenProgram(program))
    .filter(({ data }) => BURNS.includes(data[0]))
    .map(({ accounts: [account, mint], data }) => {
      return { account: account?.address, mint: mint?.address, raw: readUint(data, 1, 8) };
    });
}

export function sumOf(burns: readonly Burn[]): bigint {
  return burns.reduce((sum, { raw }) => sum + raw, 0n);
}
