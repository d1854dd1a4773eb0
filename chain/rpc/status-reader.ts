import type { SignatureStatus } from './statuses.ts';

/** Statuses in the order of the signatures. */
export type Statuses = (SignatureStatus | null)[];

/**
 * Batches the status reads of a process: calls grow with time, not with waiting transactions. A read serves only
 * callers that asked before it began, so what a caller knew (a passed block height, sent bytes) is older than its
 * response. Each read asks every endpoint; its failure reaches only its callers. Proofs such as `proveDead` ask the
 * endpoints directly.
 */
export interface StatusReader {
  /**
   * The read begins after the call, within `withinMs`; patient callers share those of urgent ones. Recent blocks only:
   * null proves nothing.
   *
   * @throws RpcUnavailableError when no endpoint responded
   */
  read(signatures: readonly string[], withinMs: number): Promise<Statuses>;
}

/** Time between the starts of two reads, ms. */
const GAP_MS = 100;

interface Request {
  readonly signatures: readonly string[];
  /** Latest start, on the clock of `performance.now()`. */
  readonly dueAt: number;
  readonly settle: (statuses: Statuses) => void;
  readonly fail: (error: unknown) => void;
}

/** Creates a reader that is idle until called. `ask` takes any number of signatures. */
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
