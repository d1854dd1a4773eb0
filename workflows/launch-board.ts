import { setCurrentDetails, upsertSearchAttributes } from '@temporalio/workflow';
import type { LaunchFacts } from '../activities/launch/activities.ts';
import type { LaunchState } from '../domain/launch/state.ts';
import { describeLaunch, describeLeft } from './launch-text.ts';
import type { LaunchVerdict } from './messages/launch.ts';
import {
  blockedReasonAttribute,
  creatorAttribute,
  launchStateAttribute,
  mintAttribute,
  paymentSignatureAttribute,
} from './messages/search-attributes.ts';

/** What is known of a launch inside its workflow, shown in the Temporal UI as search attributes and current details. */
export class LaunchBoard {
  readonly quoteId: string;
  #state: LaunchState = 'received';
  #verdict: LaunchVerdict | undefined;

  constructor(quoteId: string) {
    this.quoteId = quoteId;
  }

  get state(): LaunchState {
    return this.#state;
  }

  /** Set once the creator can be told how it ended. */
  get verdict(): LaunchVerdict | undefined {
    return this.#verdict;
  }

  /** Takes over what a finished step found and shows it. */
  show(facts: LaunchFacts): void {
    this.#state = facts.state;
    this.#verdict = verdictOf(facts);
    upsertSearchAttributes([
      { key: launchStateAttribute, value: facts.state },
      { key: blockedReasonAttribute, value: facts.blockedReason },
      { key: paymentSignatureAttribute, value: facts.paymentSignature },
      { key: mintAttribute, value: facts.mint },
      { key: creatorAttribute, value: facts.creator },
    ]);
    setCurrentDetails(describeLaunch(this.quoteId, facts));
  }

  /** Shows that this run does not go on, although its launch may. */
  leave(): void {
    upsertSearchAttributes([
      { key: launchStateAttribute, value: null },
      { key: blockedReasonAttribute, value: null },
    ]);
    setCurrentDetails(describeLeft(this.quoteId));
  }
}

function verdictOf(facts: LaunchFacts): LaunchVerdict | undefined {
  switch (facts.state) {
    case 'completed':
    case 'finalized':
      return { status: 'completed', mint: facts.mint, paymentSignature: facts.paymentSignature };
    case 'not_landed':
    case 'refunded':
      return { status: facts.state, reason: facts.reason ?? facts.state };
    case 'needs_recovery':
    case 'refunding':
      return { status: 'needs_recovery', reason: facts.blockedReason ?? facts.state };
    case 'received':
    case 'preparing':
    case 'landing':
    case 'resuming':
    case 'recording':
      return undefined;
  }
}
