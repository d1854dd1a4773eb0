import { setCurrentDetails, upsertSearchAttributes } from '@temporalio/workflow';
import type { ClaimFacts } from '../../activities/claim/activities.ts';
import { CLAIM_MEANING, type ClaimState } from '../../domain/claim/state.ts';
import type { ClaimVerdict } from './messages.ts';
import { claimStateAttribute, creatorAttribute, mintAttribute } from '../search-attributes.ts';

/** The state of a claim in its workflow, shown in the Temporal UI as search attributes and current details. */
export class ClaimBoard {
  readonly intentId: string;
  #state: ClaimState = 'issued';
  #msLeft = 0;
  #verdict: ClaimVerdict | undefined;

  constructor(intentId: string) {
    this.intentId = intentId;
  }

  get state(): ClaimState {
    return this.#state;
  }

  /** Time until the intent expires, in ms, at the last read. */
  get msLeft(): number {
    return this.#msLeft;
  }

  /** Set once the creator can be told the outcome. */
  get verdict(): ClaimVerdict | undefined {
    return this.#verdict;
  }

  show(facts: ClaimFacts): void {
    this.#state = facts.state;
    this.#msLeft = facts.msLeft;
    this.#verdict = verdictOf(facts);
    upsertSearchAttributes([
      { key: claimStateAttribute, value: facts.state },
      { key: mintAttribute, value: facts.mint },
      { key: creatorAttribute, value: facts.wallet },
    ]);
    setCurrentDetails(describeClaim(this.intentId, facts));
  }
}

function verdictOf({ state, signature, reason, refusal }: ClaimFacts): ClaimVerdict | undefined {
  switch (state) {
    case 'relayed':
    case 'finalized':
      return { status: 'relayed', signature: signature ?? '' };
    case 'not_landed':
      return { status: 'not_landed', signature: signature ?? '', reason: reason ?? state };
    case 'refused':
      return { status: 'refused', refusal: refusal ?? 'conflict', reason: reason ?? state };
    case 'expired':
      return { status: 'expired' };
    case 'issued':
    case 'submitted':
    case 'relaying':
    case 'killing':
      return undefined;
  }
}

/**
 * Describes the claim in Markdown. Every value is an address, a number or a word of ours, so nothing needs escaping
 * but the reason.
 */
function describeClaim(intentId: string, facts: ClaimFacts): string {
  const { state, reason, mint, wallet, nonceAccount, signature, baseRaw, quoteRaw } = facts;
  const rows = [
    ['mint', mint],
    ['wallet', wallet],
    ['nonce account', nonceAccount],
    ['transaction', signature ?? 'none'],
    ['fees in the token when issued, raw', baseRaw],
    ['fees in the quote token when issued, raw', quoteRaw],
  ];
  return [
    `Claim of fees \`${intentId}\``,
    `State: **${state}**. ${CLAIM_MEANING[state]}`,
    ...(reason ? [`Reason: \`${reason.replaceAll('`', "'")}\``] : []),
    ['| | |', '| --- | --- |', ...rows.map(([name, value]) => `| ${name} | \`${value}\` |`)].join('\n'),
  ].join('\n\n');
}
