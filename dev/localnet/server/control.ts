import { AccountLayout, AccountState, MintLayout } from '@solana/spl-token';
import { type Account, type Address, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../ledger/account.ts';
import { BLOCKHASH_WINDOW } from '../ledger/blocks.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { TransactionRecord } from '../ledger/record.ts';
import { decodeTransaction } from '../ledger/wire-transaction.ts';
import type { Faucet } from './faucet.ts';
import type { Faults, Stall } from './faults.ts';
import type { Funding } from './funding-message.ts';
import type { SlotClock } from './slot-clock.ts';
import type { StreamFaults } from '../yellowstone/stream-faults.ts';

function isMintOf({ owner, data }: Account, authority: Address): boolean {
  if ((owner !== TOKEN_PROGRAM && owner !== TOKEN_2022_PROGRAM) || data.length < MintLayout.span) return false;
  const mint = MintLayout.decode(data.subarray(0, MintLayout.span));
  return mint.isInitialized && mint.mintAuthorityOption === 1 && mint.mintAuthority.toBase58() === authority;
}

export interface SkipSlotRequest {
  /** Indices of dropped transactions to land again, each in a later slot. */
  readonly reland?: readonly number[];
  /** Newest ones, with the open one. Default: from the newest with a transaction. */
  readonly slots?: number;
  readonly fromSlot?: number;
}

export interface SkipSlotResult {
  readonly fromSlot: number;
  /** Oldest first. */
  readonly dropped: readonly string[];
  readonly relanding: readonly string[];
}

export interface ControlParts {
  readonly ledger: Ledger;
  readonly clock: SlotClock;
  readonly faults: Faults;
  readonly faucet: Faucet;
  /** ms. */
  readonly now: () => number;
}

const STATE_OFFSET = AccountLayout.offsetOf('state') ?? 0;

export class ChainControl {
  readonly #ledger: Ledger;
  readonly #clock: SlotClock;
  readonly #faults: Faults;
  readonly #faucet: Faucet;
  readonly #now: () => number;
  #relanding: TransactionRecord[] = [];
  #skipNext = 0;
  #stream: StreamFaults | null = null;

  constructor({ ledger, clock, faults, faucet, now }: ControlParts) {
    this.#ledger = ledger;
    this.#clock = clock;
    this.#faults = faults;
    this.#faucet = faucet;
    this.#now = now;
  }

  serveStream(faults: StreamFaults): void {
    this.#stream = faults;
  }

  /** @throws without a stream */
  get stream(): StreamFaults {
    if (this.#stream === null) throw new Error('this chain serves no stream');
    return this.#stream;
  }

  tick(): void {
    const { slot } = this.#ledger;
    this.#faults.pinViews(this.#ledger.pins, slot);
    this.#ledger.closeSlot(1 + this.#skipNext);
    this.#skipNext = 0;
    const again = this.#relanding.shift();
    if (again) this.#ledger.land(decodeTransaction(again.wire));
  }

  advanceSlots(count: number): void {
    for (let i = 0; i < count; i++) this.tick();
  }

  /** Slots advance without blocks. */
  skipNextSlots(count: number): void {
    this.#skipNext += count;
  }

  expireBlockhashes(): void {
    this.advanceSlots(BLOCKHASH_WINDOW + 1);
  }

  /**
   * Drops slots as if their leaders had skipped them; lands the chosen transactions again where they can.
   *
   * @throws, dropping nothing, for a finalized slot or unknown index
   */
  skipSlot({ reland = [], slots, fromSlot }: SkipSlotRequest = {}): SkipSlotResult {
    const from = fromSlot ?? (slots === undefined ? this.#newestBusySlot() : this.#ledger.slot - slots + 1);
    const records = [...this.#ledger.history.since(from), ...this.#ledger.openRecords];
    const again = reland.map((index) => {
      const record = records[index];
      if (!record) throw new RangeError(`no transaction ${index} among the ${records.length} of slot ${from} on`);
      return record;
    });
    this.#ledger.dropFrom(from);
    this.#relanding.push(...again);
    const signatures = (of: readonly TransactionRecord[]): string[] => of.map((record) => record.signature);
    return { fromSlot: from, dropped: signatures(records), relanding: signatures(again) };
  }

  /** 0 = only `advanceSlots`. */
  get slotMs(): number {
    return this.#clock.slotMs;
  }

  /** 0 = only `advanceSlots`. */
  setSlotMs(slotMs: number): void {
    this.#clock.setSlotMs(slotMs);
  }

  /** Sets accounts outside of transactions, at every commitment; null removes. */
  setAccounts(accounts: Iterable<readonly [Address, Account | null]>): void {
    this.#ledger.setAccounts(accounts);
  }

  /**
   * Freezes or thaws a token account at once, as its mint's freeze authority may.
   *
   * @throws where there is no account
   */
  setFrozen(address: Address, isFrozen: boolean): void {
    const account = this.#ledger.read(address, this.#ledger.slot);
    if (!account) throw new Error(`there is no account ${address}`);
    const data = Buffer.from(account.data);
    data[STATE_OFFSET] = isFrozen ? AccountState.Frozen : AccountState.Initialized;
    this.setAccounts([[address, { ...account, data }]]);
  }

  fund(wallet: Address, lamports: bigint): string {
    return this.#faucet.fund(this.#ledger, wallet, lamports).signature;
  }

  get faucet(): Address {
    return this.#faucet.address;
  }

  /**
   * Gives SOL and minted tokens, all or nothing; returns the signature.
   *
   * @throws for a token that the faucet cannot mint
   */
  give(wallet: Address, lamports: bigint, tokens: readonly { mint: Address; amount: bigint }[]): string {
    const mintings = tokens.map(({ mint, amount }) => ({ mint, amount, tokenProgram: this.#programOfOwnMint(mint) }));
    const funding: Funding = { wallet, lamports, tokens: mintings };
    return this.#faucet.give(this.#ledger, funding).signature;
  }

  #programOfOwnMint(mint: Address): Address {
    const account = this.#ledger.read(mint, this.#ledger.slot);
    if (!account || !isMintOf(account, this.faucet)) throw new Error(`${mint} is no token that the faucet can make`);
    return account.owner;
  }

  lag(slots: number, endpoint?: string): void {
    this.#faults.set({ lag: slots }, endpoint);
  }

  /** Stalls for `ms`, or until cleared. */
  stall(mode: Stall['mode'], ms?: number, endpoint?: string): void {
    this.#faults.set({ stall: { mode, until: ms === undefined ? null : this.#now() + ms } }, endpoint);
  }

  stale(endpoint?: string): void {
    this.#faults.set({ frozenAt: this.#ledger.blocks.last.slot }, endpoint);
  }

  loseHistory(beforeSlot: number, endpoint?: string): void {
    this.#faults.set({ historyFrom: beforeSlot }, endpoint);
  }

  dropTransactions(count: number, endpoint?: string): void {
    this.#faults.set({ drops: count }, endpoint);
  }

  takeDrop(endpoint: string): boolean {
    const { drops } = this.#faults.of(endpoint);
    if (drops <= 0) return false;
    this.#faults.set({ drops: drops - 1 }, endpoint);
    return true;
  }

  clear(endpoint?: string): void {
    this.#faults.clear(endpoint);
  }

  #newestBusySlot(): number {
    if (this.#ledger.openRecords.length > 0) return this.#ledger.slot;
    return this.#ledger.history.newestBusySlot() ?? this.#ledger.slot;
  }
}
