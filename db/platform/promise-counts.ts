import { type RawBuilder, sql } from 'kysely';
import {
  type DatabasePromise,
  outcomesBy,
  type PromiseCounts,
  type PromiseOutcome,
  PROMISES,
} from '../../domain/alarms/promises.ts';
import { SHORTAGE_PATTERN } from '../../domain/launch/shortage.ts';
import type { Db } from '../connect.ts';
import { webhookLags } from '../events/webhook-lag.ts';

/** Rows of a class: the outcome of each; null while it is under way and not late. */
type Outcomes = RawBuilder<unknown>;

type Rule = { readonly windowMinutes: number; readonly patienceSeconds: number };

/**
 * Returns what became of the promises of each class. Reads rows of the window and open ones, both by an index: the cost
 * grows with what happened.
 */
export async function promiseCounts(db: Db, now: Date): Promise<ReadonlyMap<DatabasePromise, PromiseCounts>> {
  const [ofTables, ofWebhooks] = await Promise.all([countTables(db), countWebhooks(db, now)]);
  return new Map([...ofTables, ['webhook', ofWebhooks]]);
}

async function countTables(db: Db) {
  const classes = Object.entries(OUTCOMES).map(
    ([name, of]) => sql`select ${sql.lit(name)} as class, outcome from (${of}) as one`,
  );
  const { rows } = await sql<{ class: DatabasePromise; outcome: PromiseOutcome | null; count: number }>`
    select class, outcome, count(*)::integer as count from (${sql.join(classes, sql` union all `)}) as every
    group by class, outcome`.execute(db);
  return Object.keys(OUTCOMES)
    .filter((name): name is TableClass => name in OUTCOMES)
    .map((name) => [name, together(rows.filter((row) => row.class === name))] as const);
}

function together(rows: readonly { readonly outcome: PromiseOutcome | null; readonly count: number }[]): PromiseCounts {
  const countOf = (wanted: PromiseOutcome) => rows.find(({ outcome }) => outcome === wanted)?.count ?? 0;
  return { asked: rows.reduce((sum, { count }) => sum + count, 0), ...outcomesBy(countOf) };
}

async function countWebhooks(db: Db, now: Date): Promise<PromiseCounts> {
  const lags = await webhookLags(db);
  const latest = now.getTime() - PROMISES.webhook.patienceSeconds * 1_000;
  const unknown = lags.filter(({ oldest }) => oldest !== null && oldest.getTime() < latest).length;
  return { asked: lags.length, kept: lags.length - unknown, refused: 0, unknown };
}

const since = ({ windowMinutes }: Rule) => sql`now() - ${sql.lit(windowMinutes)} * interval '1 minute'`;
const latest = ({ patienceSeconds }: Rule) => sql`now() - ${sql.lit(patienceSeconds)} * interval '1 second'`;

type TableClass = Exclude<DatabasePromise, 'webhook'>;

const OUTCOMES: Readonly<Record<TableClass, Outcomes>> = {
  launch: launchOutcomes(PROMISES.launch),
  claim: claimOutcomes(PROMISES.claim),
  airdrop: airdropOutcomes(PROMISES.airdrop),
  reward: roundOutcomes(PROMISES.reward, 'reward_rounds', sql`select from reward_rounds where ended_at >`),
  'fee-sweep': roundOutcomes(PROMISES['fee-sweep'], 'fee_sweeps', sql`select from fee_harvests where harvested_at >`),
  buyback: roundOutcomes(
    PROMISES.buyback,
    'buyback_rounds',
    sql`select from buyback_rounds where state = 'done' and planned_at >`,
  ),
  restock: restockOutcomes(PROMISES.restock),
};

/**
 * Time counts from the submission: each new try changes the row. A parked launch has an alarm of its own. A creator
 * whose wallet cannot pay broke the bargain; a late submit counts once for each address it came from.
 */
function launchOutcomes(rule: Rule): Outcomes {
  return sql`
    select case
      when state = 'refunding' then case when updated_at < ${latest(rule)} then 'unknown' end
      when state = 'completed' then case when completed_at < ${latest(rule)} then 'unknown' else 'kept' end
      when state = 'finalized' then 'kept'
      when state in ('not_landed', 'refunded') then 'refused'
      when state <> 'needs_recovery' and submitted_at < ${latest(rule)} then 'unknown'
    end as outcome
    from (
      select state, reason, submitted_at, completed_at, updated_at from launches where submitted_at > ${since(rule)}
      union all
      select state, reason, submitted_at, completed_at, updated_at from launches
      where state not in ('finalized', 'refunded', 'not_landed') and submitted_at <= ${since(rule)}
    ) as launch
    where reason is null or reason not like ${sql.lit(SHORTAGE_PATTERN)}
    union all
    select 'refused' from late_quotes where refused_at > ${since(rule)} group by coalesce(client, quote_id::text)`;
}

/** A claim that the platform did not sign is no promise: its wallet no longer holds the Fee Key, or claims twice. */
function claimOutcomes(rule: Rule): Outcomes {
  return sql`
    select case
      when state in ('relayed', 'finalized') then 'kept'
      when state = 'not_landed' then 'refused'
      when submitted_at < ${latest(rule)} then 'unknown'
    end as outcome
    from (
      select state, submitted_at from claim_intents
      where issued_at > ${since(rule)} - interval '10 minutes' and submitted_at > ${since(rule)}
        and state not in ('issued', 'expired', 'refused')
      union all
      select state, submitted_at from claim_intents
      where state not in ('finalized', 'not_landed', 'refused', 'expired') and state in ('submitted', 'relaying', 'killing')
        and not (issued_at > ${since(rule)} - interval '10 minutes' and submitted_at > ${since(rule)})
    ) as claim`;
}

function airdropOutcomes(rule: Rule): Outcomes {
  return sql`
    select case when planned_at < ${latest(rule)} then 'unknown' end as outcome
    from airdrops join launches using (quote_id)
    where delivered_at is null and state = 'finalized'
    union all
    select 'kept' from launches join airdrops using (quote_id)
    where submitted_at > ${since(rule)} and delivered_at is not null`;
}

/** @param done rows of rounds that ended after a moment, which follows */
function roundOutcomes(
  rule: Rule,
  table: 'reward_rounds' | 'fee_sweeps' | 'buyback_rounds',
  done: RawBuilder<unknown>,
): Outcomes {
  return sql`
    select case when planned_at < ${latest(rule)} then 'unknown' end as outcome
    from ${sql.table(table)} where state <> 'done'
    union all
    select 'kept' from (${done} ${since(rule)}) as ended`;
}

function restockOutcomes(rule: Rule): Outcomes {
  return sql`
    select case when planned_at < ${latest(rule)} then 'unknown' end as outcome
    from restock_rounds where state = 'open'
    union all
    select case state when 'done' then 'kept' else 'refused' end
    from restock_rounds where planned_at > ${since(rule)} and state <> 'open'`;
}
