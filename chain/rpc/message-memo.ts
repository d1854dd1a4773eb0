import { PublicKey, type VersionedMessage } from '@solana/web3.js';

const MEMO_PROGRAMS: readonly PublicKey[] = [
  new PublicKey('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr'),
  new PublicKey('Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo'),
];

/** The memo text of a node for this message: `[length in bytes] text`, joined by `; `. */
export function shownMemo(message: VersionedMessage): string | null {
  const memos = message.compiledInstructions.flatMap(({ programIdIndex, data }) => {
    const program = message.staticAccountKeys[programIdIndex];
    const isMemo = program !== undefined && MEMO_PROGRAMS.some((memo) => memo.equals(program));
    return isMemo ? [`[${data.length}] ${Buffer.from(data).toString('utf8')}`] : [];
  });
  return memos.length === 0 ? null : memos.join('; ');
}
