import { FEE_TIERS } from '../../../client/fee-tiers.ts';
import { associatedAccount, derivedAddress } from '../../../client/solana/associated-account.ts';
import { addressBytes, readUint } from '../../../client/solana/bytes.ts';
import { memoText } from '../../../client/solana/memo.ts';
import type { Account, Instruction } from '../../../client/solana/message.ts';
import {
  MEMO_PROGRAM,
  RAYDIUM_CLMM_PROGRAM,
  RAYDIUM_LOCK_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from '../../../client/solana/programs.ts';
import type { AccountState, Chain } from '../../../client/verify/chain.ts';
import { LOCK_AUTHORITY } from '../../../client/verify/launch/liquidity-checks.ts';
import { anchorTag } from '../../../client/verify/launch/raydium-steps.ts';
import type { Landed } from '../../../client/verify/landed.ts';
import { parseState } from '../../../dev/stand-in/state-text.ts';
import { rangeOf, type StandInState } from '../../../dev/stand-in/state.ts';
import { poolAccount, tokenAccount } from './scripted-chain.ts';

const [BURN, INITIALIZE_MINT_2] = [8, 20];

const text = (value: string) => new TextEncoder().encode(value);

/**
 * The chain as if Raydium's programs had done what a launch did at the local stand-in. Pool, amounts, holders of Fee
 * Keys and the number of locked positions are those of the local chain: a position counts as locked as long as its
 * unit is burned. Only the form is Raydium's.
 */
export function standInAsRaydium<T extends Chain>(chain: T): T {
  const made = new Map<string, () => Promise<AccountState>>();
  const unitsOf = async (pool: string) => {
    const [state] = await chain.accounts([pool]);
    return state ? Number(readUint(state.data, 36, 8)) : 2;
  };
  const remember = (launched: Launched) => {
    const { pool } = launched;
    made.set(pool, () => Promise.resolve(poolOf(launched)));
    for (const index of [0, 1] as const) {
      const positionMint = positionMintOf(launched.state.feeKeyTags[index]);
      const keeper = async () => ((await unitsOf(pool)) < 2 - index ? LOCK_AUTHORITY : pool);
      made.set(positionAddress(positionMint), () => Promise.resolve(positionAccount(launched, index, positionMint)));
      made.set(nftOf(positionMint), async () => tokenAccount(await keeper(), positionMint, 1n));
    }
  };
  const pools = new Map<string, string>();
  return {
    ...chain,
    get calls() {
      return chain.calls;
    },
    async transaction(signature, commitment) {
      const landed = await chain.transaction(signature, commitment);
      const launched = landed && launchedIn(landed);
      if (launched) {
        remember(launched);
        for (const tag of launched.state.feeKeyTags) pools.set(tag, launched.pool);
        return { ...landed, instructions: [...landed.instructions, ...poolCalls(launched)] };
      }
      const keys = landed ? lockedKeysIn(landed) : [];
      for (const key of keys)
        made.set(lockAddress(key), () => Promise.resolve(lockAccount(key, pools.get(tagOf(key)) ?? key)));
      return landed && { ...landed, instructions: [...landed.instructions, ...keys.map(lockCall)] };
    },
    async accounts(addresses) {
      const states = await chain.accounts(addresses);
      return Promise.all(
        addresses.map(async (address, index) => (await made.get(address)?.()) ?? states[index] ?? null),
      );
    },
  };
}

interface Launched {
  readonly pool: string;
  readonly mints: readonly [string, string];
  readonly state: StandInState;
}

/** The third transaction of a launch; null for others. */
function launchedIn({ instructions, tokens }: Landed): Launched | null {
  const memos = instructions.filter(({ program }) => program === MEMO_PROGRAM).map(memoText);
  const state = memos.map(parseState).find((one) => one !== null);
  const [pool] = mintsMade(instructions);
  const [first, second] = tokens.filter(({ owner }) => owner === pool).map(({ mint }) => mint);
  return state && pool !== undefined && first !== undefined && second !== undefined
    ? { pool, mints: [first, second], state }
    : null;
}

function mintsMade(instructions: readonly Instruction[]): string[] {
  const made = instructions.filter(({ program, data }) => program === TOKEN_PROGRAM && data[0] === INITIALIZE_MINT_2);
  return made.map(({ accounts }) => accounts[0]?.address ?? '');
}

/** Fee Keys of the fourth transaction, as many as it burned units of positions. */
function lockedKeysIn({ instructions }: Landed): string[] {
  const memos = instructions.filter(({ program }) => program === MEMO_PROGRAM).map(memoText);
  if (!memos.some((memo) => /^launch\/.*\/4$/.test(memo))) return [];
  const burn = instructions.find(({ program, data }) => program === TOKEN_PROGRAM && data[0] === BURN);
  return mintsMade(instructions).slice(0, burn ? Number(readUint(burn.data, 1, 8)) : 0);
}

function poolOf({ mints, state }: Launched): AccountState {
  const config = derivedAddress(
    [text('amm_config'), Uint8Array.of(0, FEE_TIERS[state.tier].config)],
    RAYDIUM_CLMM_PROGRAM,
  );
  const { program, data } = poolAccount(mints);
  data.set(addressBytes(config), 9);
  return { program, data };
}

function poolCalls({ pool, state }: Launched): Instruction[] {
  const { tickLower, tickUpper } = rangeOf(state);
  const open = (index: 0 | 1): Instruction => {
    const data = new Uint8Array(57);
    data.set(anchorTag('global:open_position_with_token22_nft'));
    const view = new DataView(data.buffer);
    view.setInt32(8, tickLower, true);
    view.setInt32(12, tickUpper, true);
    data.set(little(state.liquidity[index], 16), 24);
    const mint = positionMintOf(state.feeKeyTags[index]);
    return { program: RAYDIUM_CLMM_PROGRAM, accounts: accountsAt({ 2: mint, 4: pool }), data };
  };
  const create = { accounts: accountsAt({ 2: pool }), data: anchorTag('global:create_pool') };
  return [{ program: RAYDIUM_CLMM_PROGRAM, ...create }, open(0), open(1)];
}

function lockCall(feeKey: string): Instruction {
  const accounts = accountsAt({ 6: positionMintOf(tagOf(feeKey)), 9: feeKey });
  return { program: RAYDIUM_LOCK_PROGRAM, accounts, data: anchorTag('global:lock_clmm_position') };
}

/** Only the places that count differ. */
function accountsAt(places: Readonly<Record<number, string>>): Account[] {
  return Array.from({ length: 10 }, (_, index) => {
    return { address: places[index] ?? TOKEN_PROGRAM, isSigner: false, isWritable: false };
  });
}

function tagOf(feeKey: string): string {
  return Buffer.from(addressBytes(feeKey).subarray(0, 6)).toString('hex');
}

/** The stand-in has no mints of positions. */
function positionMintOf(feeKeyTag: string): string {
  return derivedAddress([text('position mint'), text(feeKeyTag)], TOKEN_PROGRAM);
}

function positionAddress(positionMint: string): string {
  return derivedAddress([text('position'), addressBytes(positionMint)], RAYDIUM_CLMM_PROGRAM);
}

function lockAddress(feeKey: string): string {
  return derivedAddress([text('locked_position'), addressBytes(feeKey)], RAYDIUM_LOCK_PROGRAM);
}

function nftOf(positionMint: string): string {
  return associatedAccount({ wallet: LOCK_AUTHORITY, mint: positionMint, program: TOKEN_2022_PROGRAM });
}

function positionAccount({ pool, state }: Launched, index: 0 | 1, positionMint: string): AccountState {
  const data = new Uint8Array(281);
  data.set(anchorTag('account:PersonalPositionState'));
  data.set(addressBytes(positionMint), 9);
  data.set(addressBytes(pool), 41);
  data.set(little(state.liquidity[index], 16), 81);
  return { program: RAYDIUM_CLMM_PROGRAM, data };
}

function lockAccount(feeKey: string, pool: string): AccountState {
  const data = new Uint8Array(241);
  const positionMint = positionMintOf(tagOf(feeKey));
  data.set(anchorTag('account:LockedClmmPositionState'));
  [pool, positionAddress(positionMint), nftOf(positionMint), feeKey].forEach((address, place) =>
    data.set(addressBytes(address), 41 + 32 * place),
  );
  return { program: RAYDIUM_LOCK_PROGRAM, data };
}

function little(value: bigint, bytes: number): Uint8Array {
  return Uint8Array.from({ length: bytes }, (_, index) => Number((value >> BigInt(8 * index)) & 255n));
}
