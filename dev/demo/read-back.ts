import { type Connection, PublicKey } from '@solana/web3.js';
import type { Exchange } from '../../chain/exchange/exchange.ts';
import { readMint } from '../../chain/tokens/read-mint.ts';
import { formatUnits } from '../../domain/amounts.ts';
import { TOKEN_DECIMALS, TOTAL_SUPPLY_RAW } from '../../domain/token-facts.ts';
import type { DemoLaunch, DemoWish } from './launch-token.ts';
import { IS_TAXED } from '../../domain/fee-models.ts';

export interface Finding {
  readonly what: string;
  readonly found: string;
  readonly ok: boolean;
}

export interface Expectation {
  readonly launch: DemoLaunch;
  readonly wish: DemoWish;
  readonly creator: PublicKey;
  readonly balanceBefore: number;
}

/** Reads what is on the chain, not in the platform's records. The pool only with an exchange. */
export async function readBack(
  connection: Connection,
  exchange: Exchange | null,
  expected: Expectation,
): Promise<Finding[]> {
  return [
    ...(await mintFindings(connection, expected)),
    ...(exchange === null ? [] : await poolFindings(exchange, expected)),
    ...(await devBuyFindings(connection, expected)),
    ...(await chargeFindings(connection, expected)),
  ];
}

async function mintFindings(connection: Connection, { launch, wish }: Expectation): Promise<Finding[]> {
  const mint = await readMint(connection, new PublicKey(launch.mint), 'confirmed');
  if (!mint) return [{ what: 'mint', found: `${launch.mint} does not exist`, ok: false }];
  const { supplyRaw, decimals, mintAuthority, freezeAuthority, tax } = mint;
  const wantedTax = IS_TAXED[wish.mode ?? 'standard'] ? Number(wish.rewardTaxBps ?? 100) : 0;
  return [
    { what: 'mint', found: launch.mint, ok: true },
    { what: 'supply', found: formatUnits(supplyRaw, decimals), ok: supplyRaw === TOTAL_SUPPLY_RAW },
    { what: 'decimals', found: String(decimals), ok: decimals === TOKEN_DECIMALS },
    { what: 'mint authority', found: nameOf(mintAuthority), ok: mintAuthority === null },
    { what: 'freeze authority', found: nameOf(freezeAuthority), ok: freezeAuthority === null },
    {
      what: 'transfer tax',
      found: tax ? `${tax.bps} bps, changed by ${nameOf(tax.changeAuthority)}` : 'none',
      ok: (tax?.bps ?? 0) === wantedTax && (tax?.changeAuthority ?? null) === null,
    },
  ];
}

function nameOf(key: PublicKey | null): string {
  return key?.toBase58() ?? 'none';
}

async function poolFindings(exchange: Exchange, { launch, wish, creator }: Expectation): Promise<Finding[]> {
  const pool = await exchange.readPool(new PublicKey(launch.pool));
  if (!pool) return [{ what: 'pool', found: `${launch.pool} does not exist`, ok: false }];
  const [first, second] = await Promise.all(
    launch.feeKeyMints.map((mint) => exchange.readLockedPosition(pool.pool, new PublicKey(mint))),
  );
  const holder = nameOf(first?.holder ?? null);
  const isCreators = holder === creator.toBase58();
  return [
    { what: 'pool', found: `${launch.pool}, tick ${pool.tick}`, ok: pool.liquidity > 0n },
    {
      what: 'locked positions',
      found: `liquidity ${first?.liquidity} + ${second?.liquidity}`,
      ok: first?.locked === true && second?.locked === true,
    },
    {
      what: 'first Fee Key',
      found: `held by ${isCreators ? 'the creator' : holder}`,
      ok: isCreators === !IS_TAXED[wish.mode ?? 'standard'] && holder !== 'none',
    },
  ];
}

async function devBuyFindings(connection: Connection, { launch, creator }: Expectation): Promise<Finding[]> {
  if (launch.devBuyRaw === 0n) return [];
  const history = await connection.getSignaturesForAddress(new PublicKey(launch.pool), {}, 'confirmed');
  const first = history.at(-1);
  const made = first && (await getTransaction(connection, first.signature));
  const balance = made?.meta?.postTokenBalances?.find(
    ({ mint, owner }) => mint === launch.mint && owner === creator.toBase58(),
  );
  const received = BigInt(balance?.uiTokenAmount.amount ?? 0);
  return [
    {
      what: 'dev buy',
      found: `${formatUnits(received, TOKEN_DECIMALS)} tokens in the pool's first transaction`,
      ok: received === launch.devBuyRaw,
    },
  ];
}

async function chargeFindings(connection: Connection, expected: Expectation): Promise<Finding[]> {
  const { launch, creator, balanceBefore } = expected;
  const payment = await getTransaction(connection, launch.paymentSignature);
  if (!payment?.meta) return [{ what: 'payment', found: `${launch.paymentSignature} is not on the chain`, ok: false }];
  const charged = balanceBefore - (await connection.getBalance(creator, 'confirmed'));
  const { fee, err } = payment.meta;
  return [
    { what: 'payment', found: `${launch.paymentSignature} in slot ${payment.slot}`, ok: err === null },
    {
      what: 'creator charged',
      found: `${charged} lamports = ${launch.quotedLamports} quoted + ${fee} network fee`,
      ok: charged === launch.quotedLamports + fee,
    },
  ];
}

function getTransaction(connection: Connection, signature: string) {
  return connection.getTransaction(signature, { commitment: 'confirmed', maxSupportedTransactionVersion: 0 });
}
