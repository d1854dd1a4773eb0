import type { Keypair } from '@solana/web3.js';
import Type, { type Static } from 'typebox';
import Value from 'typebox/value';
import * as claims from '../../../db/claim/claims.ts';
import type { ClaimState } from '../../../domain/claim/state.ts';
import { type CreatorFixture, signedBy } from '../platform/creator.ts';
import { eventually } from '../platform/eventually.ts';
import type { Platform } from '../platform/platform.ts';

const AmountSchema = Type.Object({
  mint: Type.String(),
  symbol: Type.String(),
  decimals: Type.Integer(),
  amountRaw: Type.String(),
  amountTokens: Type.Number(),
  amountUsd: Type.Optional(Type.Number()),
});

const ClaimableSchema = Type.Object({ base: AmountSchema, quote: AmountSchema });

const AnswerSchema = Type.Object({
  data: Type.Optional(
    Type.Object({
      claimable: Type.Optional(Type.Union([ClaimableSchema, Type.Null()])),
      amounts: Type.Optional(ClaimableSchema),
      reason: Type.Optional(Type.String()),
      intentId: Type.Optional(Type.String()),
      transaction: Type.Optional(Type.String()),
      expiresAt: Type.Optional(Type.String()),
      signature: Type.Optional(Type.String()),
      alreadySubmitted: Type.Optional(Type.Boolean()),
      landed: Type.Optional(Type.Boolean()),
    }),
  ),
  error: Type.Optional(Type.Object({ code: Type.String(), message: Type.String(), retryable: Type.Boolean() })),
});

/** An answer of one of the fee endpoints. */
export interface FeeAnswer extends Static<typeof AnswerSchema> {
  readonly http: number;
}

/** A prepared claim. */
export interface PreparedClaim {
  readonly mint: string;
  readonly intentId: string;
  readonly transaction: string;
  readonly expiresAt: string;
  readonly amounts: Static<typeof ClaimableSchema>;
}

/** Whatever the fee endpoints can be asked through. */
export type FeesApi = Pick<CreatorFixture, 'api'>;

/** `GET /tokens/{mint}/fees`. */
export function readFees(platform: FeesApi, mint: string): Promise<FeeAnswer> {
  return ask(platform, `/tokens/${mint}/fees`);
}

/** Claim prepare, whatever it answers. */
export function tryPrepare(platform: FeesApi, mint: string, wallet: string): Promise<FeeAnswer> {
  return ask(platform, `/tokens/${mint}/fees/claim/prepare`, { creatorWallet: wallet });
}

/** Claim prepare for a wallet. Throws when it is refused. */
export async function prepareClaim(platform: FeesApi, mint: string, wallet: Keypair): Promise<PreparedClaim> {
  const { http, data, error } = await tryPrepare(platform, mint, wallet.publicKey.toBase58());
  if (http !== 200 || !data?.intentId || !data.transaction || !data.expiresAt || !data.amounts) {
    throw new Error(`claim prepare answered ${http}: ${JSON.stringify(error ?? data)}`);
  }
  const { intentId, transaction, expiresAt, amounts } = data;
  return { mint, intentId, transaction, expiresAt, amounts };
}

/** Signs as a wallet does and submits; `changes` replaces fields of the body. */
export function submitClaim(
  platform: FeesApi,
  { mint, intentId, transaction }: Pick<PreparedClaim, 'mint' | 'intentId' | 'transaction'>,
  wallet: Keypair,
  changes: object = {},
): Promise<FeeAnswer> {
  return ask(platform, `/tokens/${mint}/fees/claim/submit`, {
    creatorWallet: wallet.publicKey.toBase58(),
    intentId,
    signedTransaction: signedBy(transaction, [wallet]),
    ...changes,
  });
}

/** Waits until the database says that a claim is in this state. */
export function untilClaim({ db }: Pick<Platform, 'db'>, intentId: string, state: ClaimState) {
  return eventually(async () => {
    const intent = await claims.byId(db, intentId);
    return intent?.state === state ? intent : null;
  }, `claim ${intentId} in state ${state}`);
}

async function ask({ api }: FeesApi, path: string, payload?: object): Promise<FeeAnswer> {
  const url = `/api/public/v1${path}`;
  const response = await api.inject(payload ? { method: 'POST', url, payload } : { method: 'GET', url });
  const body = Value.Clean(AnswerSchema, response.json());
  return { http: response.statusCode, ...Value.Parse(AnswerSchema, body) };
}
