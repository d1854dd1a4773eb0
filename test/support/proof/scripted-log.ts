import type { Instruction } from '../../../client/solana/message.ts';
import { SYSTEM_PROGRAM, TOKEN_PROGRAM } from '../../../client/solana/programs.ts';
import type { Landed } from '../../../client/verify/landed.ts';
import { rootAddress } from '../../../client/verify/seal.ts';
import type { WalletEntry } from '../../../client/verify/wallets/wallet-list.ts';
import { documentLines, rootOfLines } from '../../../domain/proof/lines.ts';
import { type LoggedPrice, sealedLog, walletLine } from '../../../domain/proof/sealed-log.ts';
import { landed } from './scripted-chain.ts';

export interface ScriptedLog {
  /** Hex. */
  readonly root: string;
  readonly text: string;
}

export interface LogContent {
  readonly genesisHash?: string;
  readonly receiptKey: string;
  readonly number?: number;
  readonly previous?: string | null;
  readonly slot?: number;
  readonly digests?: readonly string[];
  readonly prices?: readonly LoggedPrice[];
  /** The list of wallets. */
  readonly entries?: readonly WalletEntry[];
}

/** A log as the service writes it. */
export function scriptedLog(content: LogContent): ScriptedLog {
  const { receiptKey, number = 1, previous = null, slot = 350, digests = [], prices = [], entries = [] } = content;
  const wallets = {
    count: entries.length,
    root: hex(rootOfLines(entries.map((entry) => walletLine({ ...entry, slot: BigInt(entry.slot) })))),
  };
  const place = { environment: 'test', genesisHash: content.genesisHash ?? 'genesis' };
  const { head, rows } = sealedLog({ ...place, number, previous, slot, receiptKey, wallets, prices, digests });
  const lines = [...documentLines(head, rows)];
  return { root: hex(rootOfLines(lines)), text: lines.join('\n') };
}

const STEP = Array.from({ length: 3 }, (): Instruction => ({
  program: TOKEN_PROGRAM,
  accounts: [],
  data: Uint8Array.of(7),
}));

/** The transaction that seals a root. */
export function sealing(
  { root }: Pick<ScriptedLog, 'root'>,
  { payer, about, ...facts }: { payer: string; about: string; signature: string; slot: number },
): Landed {
  const data = new Uint8Array(12);
  data[0] = 2;
  const accounts = [payer, payer, rootAddress(root), about].map((address, index) => ({
    address,
    isSigner: index < 2,
    isWritable: index < 2,
  }));
  return landed({
    ...facts,
    signers: [payer],
    instructions: [...STEP, { program: SYSTEM_PROGRAM, accounts, data }],
  });
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}
