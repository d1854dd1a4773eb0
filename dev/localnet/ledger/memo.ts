import { MEMO_PROGRAM, MEMO_V1_PROGRAM } from './account.ts';
import type { WireMessage } from './wire-transaction.ts';

/** Agave's form: `[bytes] text`, joined by "; ". */
export function memoOf(message: WireMessage): string | null {
  const memos: string[] = [];
  for (const { programIdIndex, data } of message.instructions) {
    const program = message.staticKeys[programIdIndex];
    if (program !== MEMO_PROGRAM && program !== MEMO_V1_PROGRAM) continue;
    memos.push(`[${data.length}] ${Buffer.from(data).toString('utf8')}`);
  }
  return memos.length === 0 ? null : memos.join('; ');
}
