import { setCurrentDetails, upsertSearchAttributes } from '@temporalio/workflow';
import type { LaunchFacts } from '../../activities/launch/activities.ts';
import type { LaunchStepName } from '../../domain/launch/machine.ts';
import type { LaunchState } from '../../domain/launch/state.ts';
import { describeLaunch, describeLeft } from './text.ts';
import type { LaunchVerdict } from './messages.ts';
import {
  blockedReasonAttribute,
  creatorAttribute,
  launchStateAttribute,
  mintAttribute,
  paymentSignatureAttribute,
} from '../search-attributes.ts';

/** What is known of a launch inside its workflow, shown in the Temporal UI as search attributes and current details. */
export class LaunchBoard {
  readonly quoteId: string;
  readonly #isThrifty: boolean;
  readonly #published = new Map<string, string | null>();
  #facts: LaunchFacts | undefined;
  #state: LaunchState = 'received';
  #verdict: LaunchVerdict | undefined;

  /** One that is thrifty writes search attributes only where `publish` is called, and of them those that have changed. */
  constructor(quoteId: string, isThrifty: boolean) {
    this.quoteId = quoteId;
    this.#isThrifty = isThrifty;
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
    this.#facts = facts;
    this.#state = facts.state;
    this.#verdict = verdictOf(facts);
    if (!this.#isThrifty) upsertSearchAttributes(attributesOf(facts));
    setCurrentDetails(describeLaunch(this.quoteId, facts));
  }

  /**
   * Before the run waits for anything: writes what has changed, each an event of its history, and says which step it now waits
   * for. What is overtaken within one workflow task nobody could have seen.
   */
  publish(step?: LaunchStepName | 'openLaunch'): void {
    if (!this.#isThrifty || this.#facts === undefined) return;
    const changed = attributesOf(this.#facts).filter(({ key, value }) => {
      return value !== (this.#published.get(key.name) ?? null);
    });
    for (const { key, value } of changed) this.#published.set(key.name, value);
    if (changed.length > 0) upsertSearchAttributes(changed);
    setCurrentDetails(describeLaunch(this.quoteId, this.#facts, step));
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

function attributesOf(facts: LaunchFacts) {
  return [
    { key: launchStateAttribute, value: facts.state },
    { key: blockedReasonAttribute, value: facts.blockedReason },
    { key: paymentSignatureAttribute, value: facts.paymentSignature },
    { key: mintAttribute, value: facts.mint },
    { key: creatorAttribute, value: facts.creator },
  ];
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
