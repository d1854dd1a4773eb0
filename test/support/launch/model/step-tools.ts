import { BrokenPromise, type Flaw, isLive, isOnChain, mayLand, type Process, withLetter, type World } from './world.ts';

/** What a place in a step has at hand. */
export interface Moment {
  readonly world: World;
  readonly process: Process;
  readonly flaws: ReadonlySet<Flaw>;
}

type Findings = Partial<Pick<Process, 'saw' | 'missing' | 'isPaid'>>;

/** What comes of one place in a step: the world then, and where the step goes on. `end`: it answers; `start`: it threw. */
export interface Outcome {
  readonly world: World;
  readonly at: string;
  readonly what: string;
  readonly found: Findings;
  /** Transactions that got new bytes: whoever holds the old ones holds nothing that can do anything any more. */
  readonly renewed: string;
}

/** A step: what can come of each place in it. */
export type StepRules = Readonly<Record<string, (moment: Moment) => Outcome[]>>;

export function outcome(world: World, at: string, what = '', found: Findings = {}, renewed = ''): Outcome {
  return { world, at, what, found, renewed };
}

/** The step failed; Temporal runs it again from its start. */
export function throws(world: World): Outcome[] {
  return [outcome(world, 'start', 'throws')];
}

/** Persists new bytes for some transactions, all or none: refused while an earlier attempt is live. */
export function sign(world: World, purposes: string, after: (signed: World) => World): Outcome[] {
  const places = [...purposes].map(Number);
  if (places.some((at) => isLive(world.rows.charAt(at)))) return throws(world);
  let { rows, chain } = world;
  for (const at of places) {
    const old = chain.charAt(at);
    if (mayLand(old)) throw new BrokenPromise(`transaction ${at + 1} is signed anew while the old one may land`);
    rows = withLetter(rows, at, 's');
    // What landed before a database was restored is met by a message that is the same or can never succeed; the message of the
    // payment is the quote's, so a dead one stays dead.
    if (!isOnChain(old) && !(at === 0 && old === 'D')) chain = withLetter(chain, at, '-');
  }
  return [outcome(after({ ...world, rows, chain }), 'end', `signs ${purposes}`, {}, purposes)];
}

/** What settles transactions: sending, proving, burying. */
export const settle = {
  /** Bytes reach the leaders; those that are dead already change nothing. */
  send(world: World, purposes: string): World {
    let { chain } = world;
    for (const at of [...purposes].map(Number)) {
      const row = world.rows.charAt(at);
      if (row === 's' || row === 'a')
        throw new BrokenPromise(`transaction ${at + 1} is sent while the ledger says ${row}`);
      if (chain.charAt(at) === '-') chain = withLetter(chain, at, 'P');
    }
    return { ...world, chain };
  },
  isProvenDead: (letter: string, flaws: ReadonlySet<Flaw>): boolean =>
    letter === 'D' || (letter === 'X' && flaws.has('dead-at-expiry')),
  /** Books transactions as dead, all or none; null where the ledger learned meanwhile that one landed. */
  bury(world: World, purposes: string): World | null {
    let { rows } = world;
    for (const at of [...purposes].map(Number)) {
      if (!'sbd'.includes(rows.charAt(at))) return null;
      rows = withLetter(rows, at, 'd');
    }
    return { ...world, rows };
  },
};
