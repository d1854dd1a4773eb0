import { Keypair, PublicKey, TransactionInstruction, TransactionMessage } from '@solana/web3.js';
import { expect, it } from 'vitest';
import { splitMemos } from '../../../chain/rpc/history.ts';
import { shownMemo } from '../../../chain/rpc/message-memo.ts';

const MEMO = new PublicKey('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr');

function messageWith(...memos: string[]) {
  const payerKey = Keypair.generate().publicKey;
  const instructions = memos.map(
    (text) => new TransactionInstruction({ programId: MEMO, keys: [], data: Buffer.from(text) }),
  );
  return new TransactionMessage({ payerKey, recentBlockhash: payerKey.toBase58(), instructions }).compileToV0Message();
}

it.each([[['launch/abc/1']], [['one', 'two']], [['a; [3] b', 'ends with; ']], [['größer 🚀', '']]])(
  'memos %j are shown as one text and split again',
  (memos) => {
    expect(splitMemos(shownMemo(messageWith(...memos)) ?? '')).toEqual(memos);
  },
);

it('a message without a memo shows none', () => {
  expect(shownMemo(messageWith())).toBeNull();
});

it('a text in another form is one memo', () => {
  expect(splitMemos('no length')).toEqual(['no length']);
});
