import { type Span, UnknownError } from '../../chain/rpc/absence.ts';
import type { MoneyDeps } from './deps.ts';

/**
 * Returns the signatures that a quorum proves to be in no block of the span. If one is undecided it returns none: the
 * caller changes nothing and asks again.
 */
export async function provenAbsent(
  { rpc, logger }: Pick<MoneyDeps, 'rpc' | 'logger'>,
  signatures: readonly string[],
  span: Span,
): Promise<string[]> {
  try {
    const presence = await rpc.presenceSince(signatures, span);
    return signatures.filter((signature) => presence.get(signature) === 'absent');
  } catch (error) {
    if (!(error instanceof UnknownError)) throw error;
    logger.warn({ err: error, signatures }, 'it cannot be said whether landed transactions are gone');
    return [];
  }
}
