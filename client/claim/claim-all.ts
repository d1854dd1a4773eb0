import type { Answer } from '../http/api.ts';
import { askPatiently } from '../progress/follow.ts';
import { newCursors } from '../progress/new-cursors.ts';
import { memoryStore, type Store } from '../progress/store.ts';
import { claim, type ClaimOptions } from './claim.ts';
import type { ClaimOutcome } from './claim-outcome.ts';

export type Position = Answer<'GET /wallets/{wallet}'>['positions'][number];

export interface ClaimAllOptions extends Omit<ClaimOptions, 'mint' | 'quoteMint' | 'store'> {
  /** One store per token, as `claim` takes it. Default: in memory. */
  readonly storeOf?: (mint: string) => Store;
  /** Before each claim. */
  readonly onPosition?: (position: Position) => void;
}

export interface ClaimOfAll {
  readonly mint: string;
  readonly outcome: ClaimOutcome | { readonly status: 'failed'; readonly reason: string };
}

/**
 * Claims one token after the other, each as `claim` does: its own intent, checks and store, so that each is paid at
 * most once, also after a crash. A token that fails does not end the others.
 */
export async function* claimAll(options: ClaimAllOptions): AsyncGenerator<ClaimOfAll> {
  const { storeOf = memoryStore, onPosition, ...common } = options;
  for await (const position of positionsOf(options)) {
    const { mint } = position;
    const store = storeOf(mint);
    // A store with a signed claim is finished even where nothing is left to claim.
    if (!isClaimable(position) && !(await mayKeep(store))) {
      if (position.claimable === null) yield { mint, outcome: NOT_READ };
      continue;
    }
    onPosition?.(position);
    yield { mint, outcome: await outcomeOf({ ...common, mint, store }) };
  }
}

async function mayKeep(store: Store): Promise<boolean> {
  try {
    return (await store.load()) !== null;
  } catch {
    // `claim` reads it too, and says what is wrong with it.
    return true;
  }
}

async function outcomeOf(options: ClaimOptions): Promise<ClaimOfAll['outcome']> {
  try {
    return await claim(options);
  } catch (error) {
    options.signal?.throwIfAborted();
    if (!(error instanceof Error)) throw error;
    return { status: 'failed', reason: error.message };
  }
}

async function* positionsOf(options: ClaimAllOptions): AsyncGenerator<Position> {
  const { api, signer } = options;
  const onlyNew = newCursors('GET /wallets/{wallet}');
  for (let cursor: string | null | undefined; cursor !== null;) {
    const query = cursor === undefined ? {} : { cursor };
    const page = await askPatiently(
      () => api.ask('GET /wallets/{wallet}', { path: { wallet: signer.address }, query }),
      options,
    );
    yield* page.positions;
    cursor = onlyNew(page.pagination.nextCursor);
  }
}

const NOT_READ = {
  status: 'failed',
  reason: 'the platform could not read this position now; claim again later',
} as const;

function isClaimable({ feeKey, claimable }: Position): boolean {
  if (claimable === null || !feeKey.isHeld) return false;
  // Not parsed: `claim` checks what it is told, and junk of one position must not end the others.
  return [claimable.base, claimable.quote].some(({ amountRaw }) => !/^0*$/.test(amountRaw));
}
