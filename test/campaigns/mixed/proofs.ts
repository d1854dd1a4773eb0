import { inParallel } from '../../../chain/rpc/in-parallel.ts';
import { logDocuments, logOfReceipt, logOfRound } from '../../../client/cli/shown-logs.ts';
import { textOf } from '../../../client/cli/document-text.ts';
import type { Instruction } from '../../../client/solana/message.ts';
import { TOKEN_PROGRAM } from '../../../client/solana/programs.ts';
import { createApi } from '../../../client/index.ts';
import { verifyAirdrop } from '../../../client/verify/airdrop/verify-airdrop.ts';
import type { Chain } from '../../../client/verify/chain.ts';
import type { Check } from '../../../client/verify/check.ts';
import { verifyClaim } from '../../../client/verify/claim/verify-claim.ts';
import { shownLaunch } from '../../../client/verify/launch/shown-launch.ts';
import { verifyLaunch } from '../../../client/verify/launch/verify-launch.ts';
import { verifyReceipt } from '../../../client/verify/receipt/verify-receipt.ts';
import { readRevenue } from '../../../client/verify/revenue/shown-revenue.ts';
import { verifyRevenue } from '../../../client/verify/revenue/verify-revenue.ts';
import { verifyRound } from '../../../client/verify/round/verify-round.ts';
import { createRpcChain } from '../../../client/verify/rpc-chain.ts';
import { readBudgetStatement, readPotStatement } from '../../../client/verify/statement/movement-rows.ts';
import { verifyBudget } from '../../../client/verify/statement/verify-budget.ts';
import { verifyStatement } from '../../../client/verify/statement/verify-statement.ts';
import { readShownTreasury } from '../../../client/verify/treasury/shown-treasury.ts';
import { verifyTreasury } from '../../../client/verify/treasury/verify-treasury.ts';
import { verifyWallets } from '../../../client/verify/wallets/verify-wallets.ts';
import { readTreasuries, readWallets } from '../../../client/verify/wallets/wallet-list.ts';
import { STAND_IN_COLLECTION } from '../../../dev/stand-in/collection.ts';
import { documentUrl } from '../../../domain/proof/document-url.ts';
import { poolAccount } from '../../support/proof/scripted-chain.ts';
import { standInAsRaydium } from '../../support/proof/stand-in-as-raydium.ts';
import { runRound } from '../../support/platform/run-round.ts';
import { SEALED_LOG_ROUND } from '../../../workflows/proof/messages.ts';
import type { RealStack } from '../chaos/processes/real-stack.ts';
import { count } from '../counts.ts';
import { WINDOW_SLOTS } from './settings.ts';

/** Results of verifying all that the platform did. */
export interface Proofs {
  /** Verified things, by kind. */
  readonly verified: Readonly<Record<string, number>>;
  /** Checks that could not be proven, by kind and name: no difference. */
  readonly open: Readonly<Record<string, number>>;
  readonly problems: readonly string[];
}

type Ground = RealStack & { readonly pools: Pools; readonly landed: LandedTransactions };

interface Question {
  readonly kind: string;
  readonly about: string;
  readonly ask: () => Promise<readonly Check[]>;
}

/** Things that are verified at once. */
const AT_ONCE = 8;

/** Transactions of one history that are read: those of the treasury are many after hours. */
const MOST = 200_000;

/**
 * Verifies every launch, receipt, claim, airdrop, round, pot and treasury as a stranger does: by the public API, its
 * documents and an RPC endpoint. The books only say what there is to ask about.
 */
export async function verifyAll(real: RealStack): Promise<Proofs> {
  // The first may seal a log that a kill left open, without the newest receipts.
  while ((await runRound<number | null>({ client: real.temporal }, SEALED_LOG_ROUND)) !== null);
  const stack = { ...real, pools: await poolsOf(real), landed: new Map() };
  const [verified, open]: [Record<string, number>, Record<string, number>] = [{}, {}];
  const questions = [
    ...(await launchQuestions(stack)),
    ...(await airdropQuestions(stack)),
    ...(await claimQuestions(stack)),
    ...(await rewardQuestions(stack)),
    ...(await treasuryQuestions(stack)),
  ];
  const problems = await inParallel(AT_ONCE, questions, async ({ kind, about, ask }) => {
    const checks = await ask();
    count(verified, kind);
    for (const { name, status } of checks) if (status === 'unprovable') count(open, `${kind}: ${name}`);
    const different = checks.filter(({ status }) => status === 'different');
    return different.map((check) => `verify ${kind} ${about}: ${differenceText(check)}`);
  });
  return { verified, open, problems: problems.flat() };
}

function differenceText({ name, how, expected, found }: Check): string {
  return `${name}: ${how}; ${expected?.value} (${expected?.from}) is not ${found?.value} (${found?.from})`;
}

type Pools = ReadonlyMap<string, readonly [string, string]>;

/** Final transactions that were read, by signature: they never change. */
type LandedTransactions = Map<string, ReturnType<Chain['transaction']>>;

/** A stranger's means: one API and one endpoint. Questions share final transactions alone. */
function meansOf({ stack, connection, pools, landed }: Ground) {
  const url = `${stack.siteUrl}/api/public/v1`;
  const document = (root: string) => textOf(documentUrl(stack.siteUrl, root), undefined);
  const chain = withMemory(createRpcChain({ urls: [connection.rpcEndpoint] }), landed);
  return { api: createApi({ url }), chain, market: withRaydium(chain, pools), source: url, document };
}

function withMemory(chain: ReturnType<typeof createRpcChain>, landed: LandedTransactions): typeof chain {
  return {
    ...chain,
    async transaction(signature, commitment = 'finalized') {
      if (commitment !== 'finalized') return chain.transaction(signature, commitment);
      const reading = landed.get(signature) ?? chain.transaction(signature);
      landed.set(signature, reading);
      const found = await reading;
      if (found === null) landed.delete(signature);
      return found;
    },
  };
}

/** The chain as if the stand-in's pools were Raydium's: no keys that sign, but accounts of its program. */
function withRaydium(chain: ReturnType<typeof createRpcChain>, pools: Pools): ReturnType<typeof createRpcChain> {
  return {
    ...chain,
    async transaction(signature, commitment) {
      const landed = await chain.transaction(signature, commitment);
      const keys = new Set(landed?.instructions.flatMap(standInKeysOf));
      return landed && { ...landed, signers: landed.signers.filter((signer) => !keys.has(signer)) };
    },
    async accounts(addresses) {
      const found = await chain.accounts(addresses);
      return found.map((state, index) => {
        const tokens = pools.get(addresses[index] ?? '');
        return tokens ? poolAccount(tokens) : state;
      });
    },
  };
}

const SET_AUTHORITY = 6;

/** A pool, and the key that its state is told by: each swap and each harvest replaces it. */
function standInKeysOf({ program, data, accounts }: Instruction): string[] {
  const isState = program === TOKEN_PROGRAM && data[0] === SET_AUTHORITY;
  return isState ? accounts.slice(0, 2).map(({ address }) => address) : [];
}

async function poolsOf({ db }: RealStack): Promise<Pools> {
  const tokens = await db.selectFrom('tokens').select(['mint', 'quoteMint', 'pool']).execute();
  return new Map(tokens.map(({ mint, quoteMint, pool }) => [pool, [mint, quoteMint]]));
}

async function launchQuestions(stack: Ground): Promise<Question[]> {
  const tokens = await stack.db.selectFrom('tokens').select('mint').where('withdrawnAt', 'is', null).execute();
  const receipts = await stack.db
    .selectFrom('receipts')
    .innerJoin('launches', 'launches.quoteId', 'receipts.quoteId')
    .select('paymentSignature')
    .where('paymentSignature', 'is not', null)
    .$narrowType<{ paymentSignature: string }>()
    .execute();
  return [
    ...tokens.map(({ mint }) => ({
      kind: 'launch',
      about: mint,
      ask: () => {
        const { api, chain } = meansOf(stack);
        return verifyLaunch({ launch: mint, chain: standInAsRaydium(chain), most: MOST, shown: shownLaunch(api) });
      },
    })),
    ...receipts.map(({ paymentSignature }) => ({
      kind: 'receipt',
      about: paymentSignature,
      ask: () => verifyShownReceipt(stack, paymentSignature),
    })),
  ];
}

async function verifyShownReceipt(stack: Ground, paymentSignature: string): Promise<readonly Check[]> {
  const { api, chain, source } = meansOf(stack);
  const path = { paymentSignature };
  return verifyReceipt({
    text: async () => (await api.ask('GET /launches/{paymentSignature}/receipt', { path })).receipt ?? 'none',
    source,
    chain,
    keys: async () => [...(await readWallets(api, 'receipts')), ...(await readWallets(api, 'platform'))],
    log: (signature) => logOfReceipt(api, signature, undefined),
    most: MOST,
  });
}

async function airdropQuestions(stack: Ground): Promise<Question[]> {
  const rows = await stack.db.selectFrom('airdrops').select(['mint', 'sealedRoot', 'recipientsHash']).execute();
  return rows.flatMap(({ mint, sealedRoot, recipientsHash }) =>
    sealedRoot === null
      ? []
      : {
          kind: 'airdrop',
          about: mint,
          ask: () => {
            const { chain, source, document } = meansOf(stack);
            return verifyAirdrop({ mint, text: document(sealedRoot), source, chain, most: MOST, recipientsHash });
          },
        },
  );
}

async function claimQuestions(stack: Ground): Promise<Question[]> {
  const paid = stack.db.selectFrom('claimIntents').select(['intentId', 'wallet', 'signature']);
  const rows = await paid.where('state', '=', 'finalized').execute();
  return rows.map(({ intentId, wallet, signature }) => ({
    kind: 'claim',
    about: intentId,
    ask: () => {
      const { chain } = meansOf(stack);
      const { programs: collectBy } = STAND_IN_COLLECTION;
      return verifyClaim({ signature: signature ?? '', wallet, intentId, chain, collectBy });
    },
  }));
}

async function rewardQuestions(stack: Ground): Promise<Question[]> {
  const rounds = await stack.db.selectFrom('rewardRounds').select(['mint', 'number', 'sealedRoot']).execute();
  const pots = await stack.db.selectFrom('rewardTokens').select('mint').execute();
  return [
    ...rounds.flatMap(({ mint, number, sealedRoot }) =>
      sealedRoot === null
        ? []
        : {
            kind: 'round',
            about: `${mint} ${number}`,
            ask: () => {
              const { api, market: chain, source, document } = meansOf(stack);
              const wallets = { read: () => readWallets(api), source };
              const log = logOfRound(documentUrl(stack.stack.siteUrl, sealedRoot), undefined, undefined);
              const question = { mint, number, text: document(sealedRoot), source, chain, log };
              return verifyRound({ ...question, wallets, windowSlots: WINDOW_SLOTS, rows: MOST, most: MOST });
            },
          },
    ),
    ...pots.map(({ mint }) => ({
      kind: 'statement',
      about: mint,
      ask: () => {
        const { api, market: chain, source } = meansOf(stack);
        return verifyStatement({ mint, statement: () => readPotStatement(api, mint), source, chain, most: MOST });
      },
    })),
  ];
}

async function treasuryQuestions(stack: Ground): Promise<Question[]> {
  const quotes = await stack.db.selectFrom('tokens').select('quoteMint').distinct().execute();
  const { api, market: chain, source } = meansOf(stack);
  const document = logDocuments(api, undefined);
  const wallets = () => readWallets(api);
  return [
    {
      kind: 'wallets',
      about: source,
      ask: () => verifyWallets({ wallets, source, chain, document, most: 200, pots: MOST, logs: MOST }),
    },
    {
      kind: 'revenue',
      about: source,
      ask: () => verifyRevenue({ revenue: () => readRevenue(api), source, chain, most: MOST }),
    },
    ...quotes.map(({ quoteMint }) => ({
      kind: 'treasury',
      about: quoteMint,
      ask: () => {
        const treasury = () => readShownTreasury(api, quoteMint);
        return verifyTreasury({ quoteMint, treasury, source, chain: meansOf(stack).market, most: MOST });
      },
    })),
    ...quotes.flatMap(({ quoteMint }) =>
      (['buyback', 'flywheel'] as const).map((budget) => ({
        kind: 'budget',
        about: `${budget} ${quoteMint}`,
        ask: () => {
          const statement = () => readBudgetStatement(api, quoteMint, budget);
          const treasuries = () => readTreasuries(api);
          return verifyBudget({ quoteMint, statement, treasuries, source, chain: meansOf(stack).market, most: MOST });
        },
      })),
    ),
  ];
}
