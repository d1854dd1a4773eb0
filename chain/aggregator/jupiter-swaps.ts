import { PublicKey, TransactionInstruction } from '@solana/web3.js';
import { BigNumber } from 'bignumber.js';
import Type, { type Static } from 'typebox';
import { Compile } from 'typebox/compile';
import { requestText } from '../http/request-text.ts';
import { publicKey } from '../transactions/compile.ts';
import type { SwapAggregator, SwapInstructions, SwapOffer, SwapOrder } from './swap-aggregator.ts';

/** Mainnet program. @see https://dev.jup.ag/docs/swap-api */
export const JUPITER_PROGRAM_ID = new PublicKey('JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4');

export interface JupiterSwapOptions {
  /** Without a trailing slash. */
  readonly url: string;
  readonly apiKey?: string;
}

/** No request waits for a route. */
const TIMEOUT_MS = 10_000;
const MAX_BYTES = 1024 * 1024;

/** Leaves room for our instructions. */
const MAX_ACCOUNTS = 40;

const Amount = Type.String({ pattern: '^[0-9]{1,20}$' });

/** `GET /swap/v1/quote`, used fields. */
const QuoteShape = Compile(
  Type.Object({
    inputMint: Type.String(),
    inAmount: Amount,
    outputMint: Type.String(),
    outAmount: Amount,
    swapMode: Type.String(),
    slippageBps: Type.Integer(),
    platformFee: Type.Optional(Type.Unknown()),
    priceImpactPct: Type.String({ pattern: '^-?\\d+(\\.\\d+)?([eE]-?\\d+)?$' }),
  }),
);

const InstructionSchema = Type.Object({
  programId: Type.String(),
  accounts: Type.Array(Type.Object({ pubkey: Type.String(), isSigner: Type.Boolean(), isWritable: Type.Boolean() })),
  data: Type.String({ pattern: '^[A-Za-z0-9+/]*={0,2}$' }),
});
type InstructionAnswer = Static<typeof InstructionSchema>;

/** `POST /swap/v1/swap-instructions`. Our compute budget replaces its. */
const InstructionsShape = Compile(
  Type.Object({
    tokenLedgerInstruction: Type.Optional(Type.Union([InstructionSchema, Type.Null()])),
    setupInstructions: Type.Array(InstructionSchema),
    swapInstruction: InstructionSchema,
    cleanupInstruction: Type.Optional(Type.Union([InstructionSchema, Type.Null()])),
    otherInstructions: Type.Optional(Type.Array(InstructionSchema)),
    addressLookupTableAddresses: Type.Array(Type.String()),
  }),
);

export function createJupiterSwaps({ url, apiKey }: JupiterSwapOptions): SwapAggregator {
  const headers: Record<string, string> = apiKey === undefined ? {} : { 'x-api-key': apiKey };
  const ask = (address: URL, body?: string) =>
    requestText(address, { headers, timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES, ...(body !== undefined && { body }) });
  return {
    async offer(order) {
      const address = new URL(`${url}/swap/v1/quote`);
      address.search = quoteQuery(order).toString();
      return readOffer(address.host, order, await ask(address));
    },
    async instructions({ answer }, wallet) {
      const address = new URL(`${url}/swap/v1/swap-instructions`);
      const request = JSON.stringify({ userPublicKey: wallet.toBase58(), wrapAndUnwrapSol: true });
      // Unparsed, so that no digit changes.
      const body = `${request.slice(0, -1)},"quoteResponse":${answer}}`;
      return readInstructions(address.host, await ask(address, body));
    },
  };
}

function quoteQuery({ inputMint, outputMint, inputRaw, slippageBps }: SwapOrder): URLSearchParams {
  return new URLSearchParams({
    inputMint: inputMint.toBase58(),
    outputMint: outputMint.toBase58(),
    amount: inputRaw.toString(),
    slippageBps: String(slippageBps),
    swapMode: 'ExactIn',
    restrictIntermediateTokens: 'true',
    maxAccounts: String(MAX_ACCOUNTS),
  });
}

function readOffer(host: string, order: SwapOrder, answer: string): SwapOffer {
  const quote: unknown = JSON.parse(answer);
  if (!QuoteShape.Check(quote)) throw new Error(`${host} answered a quote of unknown form`);
  const isOfOrder =
    quote.inputMint === order.inputMint.toBase58() &&
    quote.outputMint === order.outputMint.toBase58() &&
    quote.inAmount === order.inputRaw.toString() &&
    quote.swapMode === 'ExactIn' &&
    quote.slippageBps <= order.slippageBps;
  if (!isOfOrder) throw new Error(`${host} answered a quote of another order`);
  if (quote.platformFee) throw new Error(`${host} answered a quote with a platform fee`);
  const impact = new BigNumber(quote.priceImpactPct).abs().times(10_000);
  return {
    outputRaw: BigInt(quote.outAmount),
    impactBps: impact.integerValue(BigNumber.ROUND_UP).toNumber(),
    answer,
  };
}

function readInstructions(host: string, text: string): SwapInstructions {
  const answer: unknown = JSON.parse(text);
  if (!InstructionsShape.Check(answer)) throw new Error(`${host} answered instructions of unknown form`);
  const { tokenLedgerInstruction, otherInstructions = [] } = answer;
  if (tokenLedgerInstruction || otherInstructions.length > 0) {
    throw new Error(`${host} answered instructions that were not asked for`);
  }
  const cleanup = answer.cleanupInstruction ? [answer.cleanupInstruction] : [];
  return {
    instructions: [...answer.setupInstructions, answer.swapInstruction, ...cleanup].map(toInstruction),
    lookupTables: answer.addressLookupTableAddresses.map(publicKey),
  };
}

function toInstruction({ programId, accounts, data }: InstructionAnswer): TransactionInstruction {
  return new TransactionInstruction({
    programId: publicKey(programId),
    keys: accounts.map(({ pubkey, isSigner, isWritable }) => ({ pubkey: publicKey(pubkey), isSigner, isWritable })),
    data: Buffer.from(data, 'base64'),
  });
}
