import Type, { type Static } from 'typebox';
import { Compile } from 'typebox/compile';
import type { ChainHead } from '../../chain/rpc/head.ts';
import { RpcAnswerError, type RpcEndpoint, type Shape } from '../../chain/rpc/json-rpc.ts';
import type { Rpc } from '../../chain/rpc/rpc.ts';
import { AppError } from '../../domain/errors.ts';
import { untilConfirmed } from './until-confirmed.ts';

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

/** First dropped slot, signatures from it on, and those that land again, oldest first. */
export type SkippedSlot = Static<typeof SkippedSchema>;

export interface LocalChain {
  give(gift: Gift): Promise<string>;
  expireBlockhashes(): Promise<ChainHead>;
  skipSlot(reland: readonly number[]): Promise<SkippedSlot>;
}

const Signature = Compile(Type.String({ minLength: 64, maxLength: 88 }));
const Nothing = Compile(Type.Null());
const Skipped = Compile(SkippedSchema);

const INVALID_PARAMS = -32602;

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

function reasonOf({ message }: RpcAnswerError): string {
  return message.slice(message.indexOf(': ') + 2).replace(/^Internal error: /, '');
}
