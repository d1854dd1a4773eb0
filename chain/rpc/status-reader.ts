import type { SignatureStatus } from './statuses.ts';

/** What is known of signatures, in their order; see `signatureStatuses`. */
export type Statuses = (SignatureStatus | null)[];

/**
 * Reads the statuses of everything that a process has in flight together, so that calls grow with time and not with what waits.
 *
 * The order of things: a reading serves whoever asked before it began, and nobody else. What a caller saw before it asked (a height
 * that passed a blockhash's last one, bytes that it handed over) is therefore older than every answer that it gets; a reading that is
 * under way already is no answer to it. Each reading asks each endpoint, as one for a single caller would, and fails for those alone
 * who were served by it. Proofs do not come this way: `proveDead` and its like ask each endpoint by itself.
 */
export interface StatusReader {
  /**
   * Answers as of a reading that begins after the call, and at latest so many ms later: whoever can wait shares the reading of those
   * who cannot. Recent blocks alone are looked at, so that null says less than nothing.
   * @throws RpcUnavailableError when no endpoint answered that reading.
   */
  read(signatures: readonly string[], withinMs: number): Promise<Statuses>;
}

/** Pause between the beginnings of two readings, in ms, however many ask and however urgently. */
const GAP_MS = 100;

interface Request {
  readonly signatures: readonly string[];
  /** When its reading begins at latest, on the clock of `performance.now()`. */
  readonly dueAt: number;
  readonly settle: (statuses: Statuses) => void;
  readonly fail: (error: unknown) => void;
}

/** Nothing is read before somebody asks. `ask` takes any number of signatures. */
export function createStatusReader(ask: (signatures: readonly string[]) => Promise<Statuses>): StatusReader {
  let waiting: Request[] = [];
  let timer: NodeJS.Timeout | undefined;
  let notBefore = 0;
  const begin = (): void => {
    const served = waiting;
    waiting = [];
    notBefore = performance.now() + GAP_MS;
    void serve(ask, served);
  };
  const plan = (): void => {
    const dueAt = Math.min(...waiting.map((request) => request.dueAt));
    clearTimeout(timer);
    timer = setTimeout(begin, Math.max(0, Math.max(dueAt, notBefore) - performance.now()));
  };
  return {
    read(signatures, withinMs) {
      if (signatures.length === 0) return Promise.resolve([]);
      const { promise, resolve: settle, reject: fail } = Promise.withResolvers<Statuses>();
      waiting.push({ signatures, dueAt: performance.now() + withinMs, settle, fail });
      plan();
      return promise;
    },
  };
}

async function serve(
  ask: (signatures: readonly string[]) => Promise<Statuses>,
  served: readonly Request[],
): Promise<void> {
  const all = [...new Set(served.flatMap(({ signatures }) => signatures))];
  try {
    const statuses = await ask(all);
    const known = new Map(all.map((signature, index) => [signature, statuses[index] ?? null]));
    for (const { signatures, settle } of served) settle(signatures.map((signature) => known.get(signature) ?? null));
  } catch (error) {
    for (const { fail } of served) fail(error);
  }
}
