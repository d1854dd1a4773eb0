import { isTokenProgram } from '../../solana/programs.ts';
import { mustEqual } from '../check.ts';
import type { Landed } from '../landed.ts';

/** Token instructions (spl-token, instruction.rs; Token-2022, extension/transfer_fee/instruction.rs). */
const [SET_AUTHORITY, INITIALIZE_MINT_2, TRANSFER_FEE_EXTENSION] = [6, 20, 26];
const INITIALIZE_CONFIG = 0;
/** Type of the right that SetAuthority changes. */
const MINT_TOKENS = 0;
/** An optional address without a value. */
const NONE = 0;
/** Of the optional freeze authority: behind the tag, the decimals and the mint authority. */
const FREEZE_AT = 34;

/**
 * Requires that the transaction that made a mint leaves no key a right over it. A right that was used and given up
 * later does not show in the mint's present state: more coins that were burned again, or another tax.
 */
export function mustLeaveNoRight({ instructions, signature }: Landed, mint: string, hasTax: boolean): void {
  const own = instructions.filter((one) => isTokenProgram(one.program) && one.accounts[0]?.address === mint);
  const none = (what: string, isNone: boolean) =>
    mustEqual(
      `${what} after the launch`,
      { value: 'nobody', from: 'docs/verify.md' },
      { value: isNone ? 'nobody' : 'a key', from: signature },
    );
  const made = own.filter(({ data }) => data[0] === INITIALIZE_MINT_2);
  none(
    'accounts could be frozen',
    made.every(({ data }) => data[FREEZE_AT] === NONE),
  );
  const taxed = own.filter(({ data }) => data[0] === TRANSFER_FEE_EXTENSION && data[1] === INITIALIZE_CONFIG);
  // A tax that an earlier transaction gave the mint does not show who could change it.
  none('the tax could change', taxed.every(({ data }) => data[2] === NONE) && (taxed.length > 0 || !hasTax));
  none(
    'more could be minted',
    own.some(({ data }) => data[0] === SET_AUTHORITY && data[1] === MINT_TOKENS && data[2] === NONE),
  );
}
