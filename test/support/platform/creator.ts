import { type Connection, Keypair, LAMPORTS_PER_SOL, type PublicKey, VersionedTransaction } from '@solana/web3.js';
import bs58 from 'bs58';
import Type, { type Static, type TObject } from 'typebox';
import Value from 'typebox/value';
import { SEED_PAIRS } from '../../../dev/seed/local-pairs.ts';
import { LOGO } from './logo.ts';
import { eventually } from './eventually.ts';

const PreparedSchema = Type.Object({
  quoteId: Type.String(),
  mint: Type.String(),
  signedQuote: Type.String(),
  paymentTransaction: Type.String(),
  payment: Type.Object({
    lamports: Type.Integer(),
    feeLamports: Type.Integer(),
    items: Type.Array(Type.Object({ lamports: Type.Integer() })),
  }),
  mode: Type.String(),
  poolFeePercent: Type.Number(),
  transferFee: Type.Union([Type.Object({ bps: Type.Integer() }), Type.Null()]),
  devBuy: Type.Union([Type.Object({ lamports: Type.Integer() }), Type.Null()]),
  lastValidBlockHeight: Type.Integer(),
  expiresAt: Type.String(),
});

const AnswerSchema = Type.Object({
  data: Type.Optional(
    Type.Object({
      status: Type.String(),
      paymentSignature: Type.String(),
      onChain: Type.Optional(Type.String()),
      awaitsOperator: Type.Optional(Type.Boolean()),
      mint: Type.Optional(Type.String()),
      charged: Type.Optional(Type.Boolean()),
      reason: Type.Optional(Type.String()),
      refundSignature: Type.Optional(Type.String()),
      pool: Type.Optional(Type.String()),
      feeKeyMints: Type.Optional(Type.Array(Type.String())),
      states: Type.Optional(Type.Array(Type.Object({ state: Type.String() }))),
    }),
  ),
  error: Type.Optional(
    Type.Object({
      code: Type.String(),
      message: Type.String(),
      retryable: Type.Boolean(),
      retryAfterSeconds: Type.Integer(),
    }),
  ),
  status: Type.Optional(Type.String()),
  charged: Type.Optional(Type.Boolean()),
  paymentSignature: Type.Optional(Type.String()),
  refundSignature: Type.Optional(Type.String()),
});

/** What prepare promised, and the body it was asked with. */
export interface Prepared extends Static<typeof PreparedSchema> {
  /** The wallet that the payment goes to, base58. */
  readonly launchWallet: string;
  readonly logo: string;
}

/** An answer of submit or status: HTTP status and parsed body. */
export interface Answer extends Static<typeof AnswerSchema> {
  readonly http: number;
}

/** Body of a submit. */
export interface Submission {
  readonly signedQuote: string;
  readonly signedTransaction: string;
  readonly logo: string;
}

/** One HTTP request to the API: a GET, or a POST of a JSON body. */
export interface ApiRequest {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly payload?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Where a creator lives: the API, the chain, and somebody who gives SOL. A test platform is one, a stack of processes can be. */
export interface CreatorFixture {
  readonly api: { inject(request: ApiRequest): PromiseLike<{ readonly statusCode: number; json(): unknown }> };
  readonly connection: Connection;
  readonly chain: { readonly control: { fund(wallet: string, lamports: bigint): unknown } };
}

/** A launch that was submitted, and what was answered. */
export interface SubmittedLaunch {
  readonly prepared: Prepared;
  readonly submission: Submission;
  readonly answer: Answer;
}

/** Someone with nothing but a wallet, a logo and the public API. */
export interface Creator {
  readonly keypair: Keypair;
  readonly address: PublicKey;
  /** Asks for a launch; `changes` replaces fields of the usual body. Throws when it is refused. */
  prepare(changes?: object): Promise<Prepared>;
  /** The same without judging the answer. */
  tryPrepare(changes?: object): Promise<Answer>;
  /** Signs the payment as it was issued. */
  sign(prepared: Prepared): Submission;
  submit(submission: Submission): Promise<Answer>;
  /** Prepare, sign, submit. */
  launch(changes?: object): Promise<SubmittedLaunch>;
  /**
   * Launches as the documentation says: follows what is `processing`, and prepares anew what was not charged and may be
   * tried again: on a busy machine a quote expires, or the platform cannot check it in time. Throws what was answered where a launch does not complete.
   */
  launchToEnd(changes?: object): Promise<SubmittedLaunch>;
  status(signature: string): Promise<Answer>;
  /** Lamports at `confirmed`. */
  balance(): Promise<number>;
}

/** A new wallet with some SOL (default 2). */
export async function createCreator(platform: CreatorFixture, sol = 2): Promise<Creator> {
  const keypair = Keypair.generate();
  const address = keypair.publicKey;
  const { connection } = platform;
  const lamports = sol * LAMPORTS_PER_SOL;
  if (lamports > 0) await platform.chain.control.fund(address.toBase58(), BigInt(lamports));
  await eventually(async () => (await connection.getBalance(address)) === lamports || null);
  const post = (path: string, payload: object) => ask(platform, path, payload);
  const creator: Creator = {
    keypair,
    address,
    tryPrepare: (changes) => post('prepare', bodyOf(address, changes)).then(answerOf),
    prepare: async (changes) => preparedOf(bodyOf(address, changes), await post('prepare', bodyOf(address, changes))),
    sign: ({ signedQuote, logo, paymentTransaction }) => ({
      signedQuote,
      logo,
      signedTransaction: signedBy(paymentTransaction, [keypair]),
    }),
    submit: (submission) => post('submit', submission).then(answerOf),
    launch: async (changes) => {
      const prepared = await creator.prepare(changes);
      const submission = creator.sign(prepared);
      return { prepared, submission, answer: await creator.submit(submission) };
    },
    launchToEnd: (changes) => launchToEnd(creator, changes),
    status: (signature) => ask(platform, signature).then(answerOf),
    balance: () => connection.getBalance(address, 'confirmed'),
  };
  return creator;
}

/** How often a quote may expire before its launch is through. */
const QUOTES = 5;

async function launchToEnd(creator: Creator, changes?: object): Promise<SubmittedLaunch> {
  for (let quotes = 1; ; quotes++) {
    const { prepared, submission, answer: first } = await launchOf(creator, changes);
    const taken = await submitAgain(creator, submission, first);
    const answer = taken.data?.status === 'processing' ? await follow(creator, submission) : taken;
    if (answer.data?.status === 'completed') return { prepared, submission, answer };
    const hasExpired = /expired/.test(answer.error?.message ?? answer.data?.reason ?? '');
    const isWorthAnother = answer.charged === false && answer.error?.retryable === true;
    if (!(hasExpired || isWorthAnother) || quotes === QUOTES)
      throw new Error(`the launch answered ${JSON.stringify(answer)}`);
  }
}

/** Prepares and submits; a part of a busy machine that did not answer prepare in time is asked again. */
async function launchOf(creator: Creator, changes?: object): Promise<SubmittedLaunch> {
  for (let times = 1; ; times++) {
    try {
      return await creator.launch(changes);
    } catch (error) {
      const isAway = error instanceof Error && /^prepare answered 503: .*"retryable":true/.test(error.message);
      if (!isAway || times === QUOTES) throw error;
    }
  }
}

/** Repeats a submit whose answer says nothing of a charge, because a part did not answer in time. */
async function submitAgain(creator: Creator, submission: Submission, first: Answer): Promise<Answer> {
  let answer = first;
  for (let times = 1; times < QUOTES && isUntold(answer); times++) answer = await creator.submit(submission);
  return answer;
}

/** True if a part did not answer in time, so that nothing is known of the request. */
function isUntold({ error, charged }: Answer): boolean {
  return error?.retryable === true && charged === undefined;
}

function follow(creator: Creator, submission: Submission): Promise<Answer> {
  return eventually(async () => {
    const answer = await creator.status(signatureIn(submission.signedTransaction));
    return answer.data?.status === 'processing' || isUntold(answer) ? null : answer;
  }, 'the end of a launch');
}

/** A base64 transaction signed by these keys. */
export function signedBy(base64: string, signers: readonly Keypair[]): string {
  const transaction = VersionedTransaction.deserialize(Buffer.from(base64, 'base64'));
  transaction.sign([...signers]);
  return Buffer.from(transaction.serialize()).toString('base64');
}

/** The first signature of a base64 transaction, base58. */
export function signatureIn(base64: string): string {
  const transaction = VersionedTransaction.deserialize(Buffer.from(base64, 'base64'));
  return bs58.encode(transaction.signatures[0] ?? new Uint8Array(64));
}

function bodyOf(address: PublicKey, changes: object = {}): object & { logo: string } {
  const quoteMint = SEED_PAIRS[0]?.mint.toBase58();
  const usual = { creatorWallet: address.toBase58(), quoteMint, name: 'Harbour Light', symbol: 'HARBOR', logo: LOGO };
  return { ...usual, ...changes };
}

interface RawAnswer {
  readonly http: number;
  readonly body: unknown;
}

async function ask({ api }: CreatorFixture, path: string, payload?: object): Promise<RawAnswer> {
  const url = `/api/public/v1/launches/${path}`;
  const response = await api.inject(payload ? { method: 'POST', url, payload } : { method: 'GET', url });
  return { http: response.statusCode, body: response.json() };
}

function answerOf({ http, body }: RawAnswer): Answer {
  return { http, ...Value.Parse(AnswerSchema, withoutExtras(body, AnswerSchema)) };
}

function preparedOf({ logo }: { logo: string }, { http, body }: RawAnswer): Prepared {
  if (http !== 200) throw new Error(`prepare answered ${http}: ${JSON.stringify(body)}`);
  const { data } = Value.Parse(Type.Object({ data: PreparedSchema }), body);
  const { message } = VersionedTransaction.deserialize(Buffer.from(data.paymentTransaction, 'base64'));
  return { ...data, logo, launchWallet: message.staticAccountKeys[1]?.toBase58() ?? '' };
}

/** Parsing keeps what the schema does not name; tests compare whole answers, so only what is named stays. */
function withoutExtras(body: unknown, schema: TObject): unknown {
  return Value.Clean(schema, Value.Clone(body));
}
