import Type, { type Static } from 'typebox';
import { Compile } from 'typebox/compile';
import type { ChainHead } from '../../chain/rpc/head.ts';
import { RpcAnswerError, type RpcEndpoint, type Shape } from '../../chain/rpc/json-rpc.ts';
import type { Rpc } from '../../chain/rpc/rpc.ts';
import { AppError } from '../../domain/errors.ts';
import { untilConfirmed } from './until-confirmed.ts';

/** SOL and tokens for a wallet. */
export interface Gift {
  readonly wallet: string;
  /** 0 for none. */
  readonly lamports: bigint;
  readonly tokens: readonly { readonly mint: string; readonly raw: bigint }[];
}

const SkippedSchema = Type.Object({
  fromSlot: Type.Integer(),
  dropped: Type.Array(Type.String()),
  relanding: Type.Array(Type.String()),
});

/** The first slot that was dropped, the signatures in it and after it, and those that will land again, oldest first. */
export type SkippedSlot = Static<typeof SkippedSchema>;

/** The controls of the embedded chain that the desk hands on. What the chain refuses is an AppError with its reason. */
export interface LocalChain {
  /** Resolves with the signature of the one transaction once it is confirmed. */
  give(gift: Gift): Promise<string>;
  /** Resolves with the newest block after every blockhash handed out before has expired. */
  expireBlockhashes(): Promise<ChainHead>;
  skipSlot(reland: readonly number[]): Promise<SkippedSlot>;
}

const Signature = Compile(Type.String({ minLength: 64, maxLength: 88 }));
const Nothing = Compile(Type.Null());
const Skipped = Compile(SkippedSchema);

const INVALID_PARAMS = -32602;

/** The controls at the embedded chain's RPC endpoint. */
export function createLocalChain(endpoint: RpcEndpoint, rpc: Rpc): LocalChain {
  return {
    async give({ wallet, lamports, tokens }) {
      const amounts = tokens.map(({ mint, raw }) => ({ mint, amount: raw.toString() }));
      const gift = { wallet, lamports: lamports.toString(), tokens: amounts };
      const signature = await control(endpoint, 'localnet_give', [gift], Signature);
      await untilConfirmed(rpc, signature);
      return signature;
    },
    async expireBlockhashes() {
      await control(endpoint, 'localnet_expireBlockhashes', [], Nothing);
      return rpc.head('processed');
    },
    skipSlot: (reland) => control(endpoint, 'localnet_skipSlot', [{ reland }], Skipped),
  };
}

async function control<T>(
  endpoint: RpcEndpoint,
  method: string,
  params: readonly unknown[],
  shape: Shape<T>,
): Promise<T> {
  try {
    return await endpoint.call(method, params, shape);
  } catch (error) {
    if (!(error instanceof RpcAnswerError)) throw error;
    const code = error.code === INVALID_PARAMS ? 'invalid_request' : 'conflict';
    throw new AppError(code, `the chain refuses: ${reasonOf(error)}`, { cause: error });
  }
}

/** What the node said, without where it was asked. */
function reasonOf({ message }: RpcAnswerError): string {
  return message.slice(message.indexOf(': ') + 2).replace(/^Internal error: /, '');
}
