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

export class LaunchBoard {
  readonly quoteId: string;
  readonly #published = new Map<string, string | null>();
  #facts: LaunchFacts | undefined;
  #state: LaunchState = 'received';
  #verdict: LaunchVerdict | undefined;

  constructor(quoteId: string) {
    this.quoteId = quoteId;
  }

  get state(): LaunchState {
    return this.#state;
  }

  get parking(): number | undefined {
    return this.#facts?.parking;
  }

  get blockedReason(): string | null {
    return this.#facts?.blockedReason ?? null;
  }

  /** Once the creator can be told. */
  get verdict(): LaunchVerdict | undefined {
    return this.#verdict;
  }

  show(facts: LaunchFacts): void {
    this.#facts = facts;
    this.#state = facts.state;
    this.#verdict = verdictOf(facts);
    setCurrentDetails(describeLaunch(this.quoteId, facts));
  }

  /** Shows, before the run waits, the awaited step and changed search attributes (each write is a history event). */
  publish(step?: LaunchStepName | 'openLaunch'): void {
    if (this.#facts === undefined) return;
    const changed = attributesOf(this.#facts).filter(({ key, value }) => {
      return value !== (this.#published.get(key.name) ?? null);
    });
    for (const { key, value } of changed) this.#published.set(key.name, value);
    if (changed.length > 0) upsertSearchAttributes(changed);
    setCurrentDetails(describeLaunch(this.quoteId, this.#facts, step));
  }

  /** Clears what the run showed: it has ended although its launch may continue. */
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
