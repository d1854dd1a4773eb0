import { derivedAddress } from '../../solana/associated-account.ts';
import { addressBytes, readUint, toBase58 } from '../../solana/bytes.ts';
import { isTokenProgram } from '../../solana/programs.ts';
import type { Chain } from '../chain.ts';
import { Difference, mustEqual, NotProvable, type Outcome } from '../check.ts';
import type { Landed } from '../landed.ts';
import { METADATA, METADATA_POINTER, type MintAccount, readMint, TRANSFER_FEE } from '../mint-account.ts';
import { isBatch, PLAIN_PROGRAMS } from '../kept-accounts.ts';
import type { LaunchBundle } from './launch-bundle.ts';
import { mustLeaveNoRight } from './mint-rights.ts';

export const METAPLEX_PROGRAM = 'metaqbxxUerdq28cj1RbAWkYQm3ybzjb6a8bt518x1s';

/** Token instructions (spl-token, instruction.rs). */
const [MINT_TO, MINT_TO_CHECKED, INITIALIZE_MINT_2] = [7, 14, 20];

/** A mint, and all that was ever minted of it, raw units. */
export interface LaunchedMint {
  readonly mint: string;
  readonly mintedRaw: bigint;
}

export function readLaunchedMint({ mint: landed }: LaunchBundle, asked: string | null): Outcome<LaunchedMint> {
  const [mint, ...others] = called(landed, INITIALIZE_MINT_2).map(({ accounts }) => accounts[0]?.address ?? '');
  const from = landed.signature;
  if (mint === undefined || others.length > 0 || !landed.signers.includes(mint))
    throw new Difference(
      'it makes no mint',
      { value: 'one mint, which signs', from: 'docs/verify.md' },
      { value: mint ?? 'none', from },
    );
  mustEqual('the launch is of another coin', { value: asked ?? mint, from: 'the command line' }, { value: mint, from });
  mustShowAll(landed);
  const amounts = [MINT_TO, MINT_TO_CHECKED]
    .flatMap((tag) => called(landed, tag))
    .map(({ data }) => readUint(data, 1, 8));
  mustEqual(
    'it is minted more than once',
    { value: '1', from: 'docs/verify.md' },
    { value: String(amounts.length), from },
  );
  const [mintedRaw = 0n] = amounts;
  return { how: `${mint}, ${mintedRaw} raw units minted once`, value: { mint, mintedRaw } };
}

function called({ instructions }: Landed, tag: number) {
  return instructions.filter(({ program, data }) => isTokenProgram(program) && data[0] === tag);
}

const KNOWN_PROGRAMS: readonly string[] = [...PLAIN_PROGRAMS, METAPLEX_PROGRAM];

/** @throws NotProvable where another program, or a batch, could have minted more that the signed bytes do not show */
function mustShowAll({ instructions, signature }: Landed): void {
  for (const one of instructions)
    if (isBatch(one) || !KNOWN_PROGRAMS.includes(one.program))
      throw new NotProvable(
        `${signature} calls ${isBatch(one) ? 'a batch of token instructions' : one.program}, which could have minted more`,
      );
}

const ALLOWED: readonly number[] = [TRANSFER_FEE, METADATA_POINTER, METADATA];

/**
 * Requires that no authority can mint, freeze, rename or change the tax, or could since the launch. The mint's present
 * state proves it for the future: a mint without an authority never gets one again.
 */
export async function checkMint(
  chain: Chain,
  { mint: made }: LaunchBundle,
  { mint, mintedRaw }: LaunchedMint,
): Promise<Outcome<MintAccount>> {
  const [account] = await chain.accounts([mint]);
  const state = account && readMint(account);
  const from = `${mint} on ${chain.name}`;
  if (!state)
    throw new Difference('it is no mint', { value: 'a mint', from: 'docs/verify.md' }, { value: 'none', from });
  const none = (what: string, found: string | null) =>
    mustEqual(what, { value: 'nobody', from: 'docs/verify.md' }, { value: found ?? 'nobody', from });
  none('more can be minted', state.mintAuthority);
  none('accounts can be frozen', state.freezeAuthority);
  none('the metadata can change', state.metadataAuthorities[0] ?? null);
  none('the metadata are in another account', state.metadataAddress === mint ? null : state.metadataAddress);
  none(
    'the mint has an extension that gives power over it',
    state.extensions.find((one) => !ALLOWED.includes(one))?.toString() ?? null,
  );
  if (state.supplyRaw > mintedRaw)
    throw new Difference(
      'there is more of it than was minted',
      { value: `at most ${mintedRaw}`, from: 'the launch' },
      { value: String(state.supplyRaw), from },
    );
  const tax = taxOf(state, from);
  mustLeaveNoRight(made, mint, state.transferFee !== null);
  return {
    how: `nobody can mint, freeze or change it; ${tax}; ${mintedRaw - state.supplyRaw} raw units burned`,
    value: state,
  };
}

function taxOf({ transferFee }: MintAccount, from: string): string {
  if (transferFee === null) return 'no tax';
  const { authority, older, newer } = transferFee;
  mustEqual('the tax can change', { value: 'nobody', from: 'docs/verify.md' }, { value: authority ?? 'nobody', from });
  mustEqual(
    'the tax changes',
    { value: String(older.bps), from: 'its earlier epoch' },
    { value: String(newer.bps), from },
  );
  return `a tax of ${newer.bps} bps`;
}

/** Key, update authority and mint; then name, symbol and URI, each with its length; seller fee; creators. */
const METADATA_TEXTS_AT = 65;
const [SELLER_FEE_BYTES, CREATOR_BYTES] = [2, 34];

/** True if Metaplex metadata may be changed (token-metadata, state/metadata.rs: `is_mutable`). */
export function isMutable(data: Uint8Array): boolean {
  let at = METADATA_TEXTS_AT;
  for (let text = 0; text < 3; text++) at += 4 + Number(readUint(data, at, 4));
  at += SELLER_FEE_BYTES;
  const creators = data[at] === 1 ? 4 + Number(readUint(data, at + 1, 4)) * CREATOR_BYTES : 0;
  // Behind the creators: whether the primary sale happened, then whether it is mutable.
  return data[at + 1 + creators + 1] !== 0;
}

/** An account of Metaplex about a mint: its metadata, or what `more` names beside them. */
export function metaplexAddress(mint: string, ...more: readonly string[]): string {
  const seed = (text: string) => new TextEncoder().encode(text);
  const seeds = [seed('metadata'), addressBytes(METAPLEX_PROGRAM), addressBytes(mint), ...more.map(seed)];
  return derivedAddress(seeds, METAPLEX_PROGRAM);
}

export function mintOfMetadata(data: Uint8Array): string {
  return toBase58(data.subarray(33, 65));
}
