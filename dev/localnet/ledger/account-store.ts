import type { Account, Address } from './account.ts';

interface Version {
  readonly slot: number;
  readonly account: Account | null;
}

/**
 * All accounts the ledger has written, with the versions of the last slots: what is read at a commitment or through a
 * lagging endpoint, and what a dropped slot is rolled back from. Version chains are ordered by slot, newest last.
 */
export class AccountStore {
  readonly #versions = new Map<Address, Version[]>();
  readonly #byOwner = new Map<Address, Set<Address>>();
  readonly #touched = new Map<number, Set<Address>>();

  /** Whether the ledger ever wrote this account (false = only the engine may know it). */
  has(address: Address): boolean {
    return this.#versions.has(address);
  }

  /** State as of a slot, null when there was none. */
  at(address: Address, slot: number): Account | null {
    const versions = this.#versions.get(address);
    if (!versions) return null;
    for (let i = versions.length - 1; i >= 0; i--) {
      const version = versions[i];
      if (version && version.slot <= slot) return version.account;
    }
    return null;
  }

  /** Slot of the last write at or before `slot`; null when there is none. */
  lastWrite(address: Address, slot: number): number | null {
    return this.#versions.get(address)?.findLast((version) => version.slot <= slot)?.slot ?? null;
  }

  /** Writes a version at a slot; an earlier one of the same slot is replaced. */
  put(address: Address, slot: number, account: Account | null): void {
    const versions = this.#versions.get(address) ?? [];
    if (versions.at(-1)?.slot === slot) versions.pop();
    versions.push({ slot, account });
    this.#versions.set(address, versions);
    this.#indexOwner(address, account);
    const touched = this.#touched.get(slot) ?? new Set();
    this.#touched.set(slot, touched.add(address));
  }

  /** Forgets an account's versions and writes one that holds from `slot` on, for every commitment. */
  replace(address: Address, slot: number, account: Account | null): void {
    this.#versions.set(address, []);
    this.put(address, slot, account);
  }

  /** Addresses written in a slot. */
  touchedIn(slot: number): ReadonlySet<Address> {
    return this.#touched.get(slot) ?? new Set();
  }

  /** Accounts a program owned as of a slot. */
  *ownedBy(owner: Address, slot: number): Generator<[Address, Account]> {
    for (const address of this.#byOwner.get(owner) ?? []) {
      const account = this.at(address, slot);
      if (account?.owner === owner) yield [address, account];
    }
  }

  /** Every account that existed as of a slot. */
  *all(slot: number): Generator<[Address, Account]> {
    for (const address of this.#versions.keys()) {
      const account = this.at(address, slot);
      if (account) yield [address, account];
    }
  }

  /** Drops every version written at or after a slot and returns the addresses that changed by it. */
  dropFrom(slot: number): Set<Address> {
    const changed = new Set<Address>();
    for (const [at, addresses] of this.#touched) {
      if (at < slot) continue;
      for (const address of addresses) changed.add(address);
      this.#touched.delete(at);
    }
    for (const address of changed) {
      const kept = (this.#versions.get(address) ?? []).filter((version) => version.slot < slot);
      this.#versions.set(address, kept);
    }
    return changed;
  }

  /** Forgets versions that no read at or after `floor` can see; returns which (address, slot) went. */
  prune(floor: number): [Address, number][] {
    const gone: [Address, number][] = [];
    for (const [slot, addresses] of this.#touched) {
      if (slot > floor) continue;
      for (const address of addresses) this.#pruneAccount(address, floor, gone);
      this.#touched.delete(slot);
    }
    return gone;
  }

  #pruneAccount(address: Address, floor: number, gone: [Address, number][]): void {
    const versions = this.#versions.get(address);
    const keepFrom = versions?.findLastIndex((version) => version.slot <= floor) ?? -1;
    if (!versions || keepFrom < 0) return;
    for (const { slot } of versions.splice(0, keepFrom)) gone.push([address, slot]);
    const only = versions.length === 1 ? versions[0] : undefined;
    if (only?.account !== null) return;
    gone.push([address, only.slot]);
    this.#forget(address);
  }

  #forget(address: Address): void {
    this.#versions.delete(address);
    for (const owned of this.#byOwner.values()) owned.delete(address);
  }

  #indexOwner(address: Address, account: Account | null): void {
    if (!account) return;
    const owned = this.#byOwner.get(account.owner) ?? new Set();
    this.#byOwner.set(account.owner, owned.add(address));
  }
}
