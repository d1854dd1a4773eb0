export interface ComparedSwap {
  readonly signature: string;
  readonly index: number;
  readonly slot: bigint;
  readonly blockTime: Date;
  readonly side: string;
  readonly wallet: string;
  readonly baseRaw: bigint;
  readonly quoteRaw: bigint;
  readonly priceQuote: string;
}

export interface SwapDifferences {
  readonly missing: readonly string[];
  /** Final here, not on the chain. */
  readonly extra: readonly string[];
  readonly different: readonly string[];
}

export function compareSwaps(stored: readonly ComparedSwap[], counted: readonly ComparedSwap[]): SwapDifferences {
  const keyOf = ({ signature, index }: ComparedSwap): string => `${signature}/${index}`;
  const rows = new Map(stored.map((swap) => [keyOf(swap), swap]));
  const found = new Set(counted.map(keyOf));
  const known = counted.filter((swap) => rows.has(keyOf(swap)));
  return {
    missing: signaturesOf(counted.filter((swap) => !rows.has(keyOf(swap)))),
    extra: signaturesOf(stored.filter((swap) => !found.has(keyOf(swap)))),
    different: signaturesOf(known.filter((swap) => !isSame(rows.get(keyOf(swap))!, swap))),
  };
}

const COMPARED = ['slot', 'side', 'wallet', 'baseRaw', 'quoteRaw', 'priceQuote'] as const;

function isSame(one: ComparedSwap, other: ComparedSwap): boolean {
  return (
    one.blockTime.getTime() === other.blockTime.getTime() && COMPARED.every((field) => one[field] === other[field])
  );
}

function signaturesOf(swaps: readonly ComparedSwap[]): string[] {
  return [...new Set(swaps.map(({ signature }) => signature))];
}
