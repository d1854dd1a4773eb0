import { getMint } from '@solana/spl-token';
import { type Connection, PublicKey } from '@solana/web3.js';
import type { Exchange } from '../../chain/exchange/exchange.ts';
import { TOTAL_SUPPLY_RAW } from '../../domain/launch-facts.ts';
import type { DemoLaunch } from './launch-token.ts';

/** One fact that was read from the chain, and whether it is what was promised. */
export interface Finding {
  readonly what: string;
  readonly found: string;
  readonly ok: boolean;
}

/** What the chain must show of a launch. */
export interface Expectation {
  readonly launch: DemoLaunch;
  readonly creator: PublicKey;
  /** The creator's lamports before the launch. */
  readonly balanceBefore: number;
}

/** Reads a launch back from the chain, not from the platform's books, and judges it. */
export async function readBack(connection: Connection, exchange: Exchange, expected: Expectation): Promise<Finding[]> {
  return [
    ...(await mintFindings(connection, expected.launch)),
    ...(await poolFindings(exchange, expected)),
    ...(await chargeFindings(connection, expected)),
  ];
}

async function mintFindings(connection: Connection, { mint }: DemoLaunch): Promise<Finding[]> {
  const account = await connection.getAccountInfo(new PublicKey(mint));
  if (!account) return [{ what: 'mint', found: `${mint} does not exist`, ok: false }];
  const { supply, decimals, mintAuthority, freezeAuthority } = await getMint(
    ...([connection, new PublicKey(mint), 'confirmed', account.owner] as const),
  );
  const none = (key: PublicKey | null) => key?.toBase58() ?? 'none';
  return [
    { what: 'mint', found: mint, ok: true },
    { what: 'supply', found: `${supply} raw units`, ok: supply === TOTAL_SUPPLY_RAW },
    { what: 'decimals', found: String(decimals), ok: decimals === 9 },
    { what: 'mint authority', found: none(mintAuthority), ok: mintAuthority === null },
    { what: 'freeze authority', found: none(freezeAuthority), ok: freezeAuthority === null },
  ];
}

async function poolFindings(exchange: Exchange, { launch, creator }: Expectation): Promise<Finding[]> {
  const pool = await exchange.readPool(new PublicKey(launch.pool));
  if (!pool) return [{ what: 'pool', found: `${launch.pool} does not exist`, ok: false }];
  const [first, second] = await Promise.all(
    launch.feeKeyMints.map((mint) => exchange.readLockedPosition(pool.pool, new PublicKey(mint))),
  );
  const holder = first?.holder?.toBase58() ?? 'nobody';
  return [
    { what: 'pool', found: `${launch.pool}, tick ${pool.tick}`, ok: pool.liquidity > 0n },
    {
      what: 'locked positions',
      found: `${first?.liquidity} + ${second?.liquidity}`,
      ok: !!first?.locked && !!second?.locked,
    },
    { what: 'Fee Key holder', found: holder, ok: holder === creator.toBase58() },
  ];
}

async function chargeFindings(connection: Connection, expected: Expectation): Promise<Finding[]> {
  const { launch, creator, balanceBefore } = expected;
  const payment = await connection.getTransaction(launch.paymentSignature, {
    ...{ commitment: 'confirmed', maxSupportedTransactionVersion: 0 },
  });
  if (!payment?.meta) return [{ what: 'payment', found: `${launch.paymentSignature} is not on the chain`, ok: false }];
  const charged = balanceBefore - (await connection.getBalance(creator, 'confirmed'));
  const { fee } = payment.meta;
  return [
    { what: 'payment', found: `${launch.paymentSignature} in slot ${payment.slot}`, ok: payment.meta.err === null },
    {
      what: 'creator charged',
      found: `${charged} lamports = ${launch.quotedLamports} quoted + ${fee} network fee`,
      ok: charged === launch.quotedLamports + fee,
    },
  ];
}
