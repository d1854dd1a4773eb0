import { ACCOUNTS_PER_CALL } from '../../../../chain/market/pool-changes.ts';
import { batchesOf } from '../../../../domain/batches.ts';
import type { FinalizedVault } from '../../settle.ts';
import { isDue, vaultOf } from '../followed-pools.ts';
import type { Line } from '../line.ts';
import { isPrompt, isSelfConsistent } from '../observed/pulse.ts';
import { readVaults, readVaultsAgreed } from '../ordered/pool-history.ts';

/** Rounds between finality polls of a prompt stream. */
const ASK_EVERY_ROUNDS = 3;

/** Pools to settle, with their finalized vaults. */
export interface Round {
  /** By a quorum. */
  readonly finalized: number;
  readonly due: string[];
  readonly vaults: ReadonlyMap<string, FinalizedVault>;
}

/** Reads by RPC what is final. The source decides what to ask for, RPC what is settled. */
export class FinalRounds {
  readonly #line: Line;
  #askedAt = Number.NEGATIVE_INFINITY;

  constructor(line: Line) {
    this.#line = line;
  }

  /** Null if there is nothing to settle or to record. */
  async read(): Promise<Round | null> {
    const { deps, observing, pools, finality, followed } = this.#line;
    const reported = Math.max(finality.final, observing.blocks.finalized);
    const due = pools.all().filter((pool) => isDue(pool, reported));
    // A round without pools only records the progress of an earlier one.
    const empty = { finalized: finality.final, due: [], vaults: new Map() };
    if (due.length === 0 && !this.#hasToAsk()) return followed.unwritten === null ? null : empty;
    const [first, ...others] = batchesOf(due.map(vaultOf), ACCOUNTS_PER_CALL);
    try {
      const { finalized, vaults } = first ? await readVaultsAgreed(deps, first) : await readFinal(this.#line);
      finality.noteFinal(finalized);
      this.#askedAt = this.#line.now();
      const known = new Map([...vaults, ...(await readOthers(this.#line, others.flat()))]);
      const settling = due.filter((pool) => isDue(pool, known.get(pool.address)?.slot ?? -1));
      return { finalized, due: settling.map(({ address }) => address), vaults: known };
    } catch (error) {
      deps.logger.warn({ err: error }, 'how far the chain is final could not be read; it is settled later');
      return null;
    }
  }

  /**
   * True if a round without due pools must ask RPC for finality. With a prompt stream that lost nothing, one round in
   * `ASK_EVERY_ROUNDS` asks. None asks while the stream is self-consistent and could replay everything unsettled.
   * Otherwise every round does.
   */
  #hasToAsk(): boolean {
    const { deps, observing, liveness, finality, followed } = this.#line;
    const moment = { unixMs: deps.now().getTime(), now: this.#line.now() };
    const { pulse } = observing.blocks;
    const isWell = liveness.isLive && observing.hole.isWhole && isPrompt(pulse, moment.unixMs);
    if (isWell && finality.said !== null && isSelfConsistent(pulse, finality.said, moment)) {
      finality.presume(pulse.finalized);
      if (pulse.tip - followed.slot <= finality.leeway) return false;
    }
    const every = deps.settings.settleEveryMs * (isWell ? ASK_EVERY_ROUNDS : 1);
    return moment.now - this.#askedAt >= every;
  }
}

async function readFinal({ deps }: Line): Promise<Pick<Round, 'finalized' | 'vaults'>> {
  return { finalized: (await deps.rpc.agreedHead('finalized')).slot, vaults: new Map() };
}

async function readOthers(
  { deps }: Line,
  pools: readonly ReturnType<typeof vaultOf>[],
): Promise<ReadonlyMap<string, FinalizedVault>> {
  try {
    return await readVaults(deps, pools);
  } catch (error) {
    const facts = { err: error, pools: pools.length };
    deps.logger.warn(facts, 'vaults could not be read; what is final is settled later');
    return new Map();
  }
}
