import type { VersionedTransactionResponse } from '@solana/web3.js';
import type { HeldAccount } from '../../../../db/held-accounts.ts';
import type { WatchList } from './watch-list.ts';

/** If more accounts were reported, all are forgotten and reported again. */
const MOST_REPORTED = 200_000;

/** Accounts that came to hold reward coins and are not noted in the database. */
export class HeldNotes {
  readonly #list: WatchList;
  readonly #reported = new Set<string>();
  #fresh: HeldAccount[] = [];

  constructor(list: WatchList) {
    this.#list = list;
  }

  get all(): readonly HeldAccount[] {
    return this.#fresh;
  }

  noteIn({ slot, transaction: { message }, meta }: VersionedTransactionResponse): void {
    const balances = (meta?.postTokenBalances ?? []).filter(
      ({ mint, uiTokenAmount }) => this.#list.isRewardMint(mint) && uiTokenAmount.amount !== '0',
    );
    if (balances.length === 0) return;
    const keys = message.getAccountKeys({ accountKeysFromLookups: meta?.loadedAddresses });
    for (const { mint, accountIndex } of balances) {
      const account = keys.get(accountIndex);
      if (account) this.#note({ mint, account: account.toBase58(), slot });
    }
  }

  take(): readonly HeldAccount[] {
    const fresh = this.#fresh;
    this.#fresh = [];
    return fresh;
  }

  #note(held: HeldAccount): void {
    const key = `${held.mint}/${held.account}`;
    if (this.#reported.has(key)) return;
    if (this.#reported.size >= MOST_REPORTED) this.#reported.clear();
    this.#reported.add(key);
    this.#fresh.push(held);
  }
}
