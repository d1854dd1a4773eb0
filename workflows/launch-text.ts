import type { LaunchFacts } from '../activities/launch.ts';
import type { LaunchState } from '../domain/launch-state.ts';

/** What each state means and what to do about it, in words for the Temporal UI. */
const MEANING: Record<LaunchState, string> = {
  received: 'The signed payment is stored; nothing has been sent.',
  preparing: 'The bundle is built and checked; nothing has been sent, so nothing can be charged.',
  landing: 'The bundle was sent. It is sent again until all of it landed or none of it ever can.',
  resuming: 'Only the beginning of the bundle landed. The rest is signed anew; the payment is never made twice.',
  recording: 'Everything landed. The details are being written to the database.',
  completed: 'The token is live and recorded. Waiting until no fork can remove it.',
  finalized: 'Done. Nothing is left to do.',
  needs_recovery:
    'The payment landed and the launch cannot go on by itself. Send the update `resolve` with ' +
    '`{"action": "…", "note": "why"}`. `resume`: what is missing is signed anew and sent; nothing that landed is ' +
    'repeated. `refund`: the creator gets the payment and its network fee back; refused once the pool exists. ' +
    '`record`: only where mint, pool and both locks are on the chain.',
  refunding: 'The creator is getting the payment and its network fee back.',
  refunded: 'The creator got the payment and its network fee back. No token exists.',
  not_landed: 'Nothing landed and nothing of it ever can. The creator was not charged.',
};

/** Markdown for the workflow's current details: what the launch is, where it stands, what landed, what to do. */
export function describeLaunch(quoteId: string, facts: LaunchFacts): string {
  return [
    `**${facts.name} (${facts.symbol})**, ${facts.mode} launch \`${quoteId}\``,
    `State: **${facts.state}**. ${MEANING[facts.state]}`,
    ...(facts.blockedReason ? [`Blocked: ${facts.blockedReason}`] : []),
    ...(facts.reason ? [`Reason: ${facts.reason}`] : []),
    table([
      ['creator', facts.creator],
      ['mint', facts.mint],
      ['payment', facts.paymentSignature],
      ['launch wallet', facts.launchWallet],
      ...facts.transactions.map((row): [string, string] => [`${row.purpose}: ${row.status}`, row.signature]),
    ]),
  ].join('\n\n');
}

function table(rows: [string, string][]): string {
  return ['| | |', '| --- | --- |', ...rows.map(([name, value]) => `| ${name} | \`${value}\` |`)].join('\n');
}
