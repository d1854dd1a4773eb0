import { describe, expect, it } from 'vitest';
import type { LaunchFacts } from '../../activities/launch/activities.ts';
import { RESOLUTION_EFFECT } from '../../domain/launch/meaning.ts';
import { RESOLUTION_ACTIONS } from '../../domain/launch/operator-decision.ts';
import { describeLaunch } from '../../workflows/launch/text.ts';

const FACTS: LaunchFacts = {
  state: 'needs_recovery',
  name: 'Harbour Light',
  symbol: 'HARBOR',
  mode: 'standard',
  creator: 'creator',
  mint: 'mint',
  launchWallet: 'wallet',
  paymentSignature: 'payment',
  reason: null,
  blockedReason: 'the rest did not land',
  parking: 1,
  transactions: [],
};

describe('the details of a launch in the Temporal UI', () => {
  it.each([
    ['[Resolve](https://evil.example)', '` [Resolve](https://evil.example) `'],
    ['![](https://evil.example/a)', '` ![](https://evil.example/a) `'],
    ['https://evil.example', '` https://evil.example `'],
    ['a`[b](//e.co)`', '`` a`[b](//e.co)` ``'],
  ])('show the name %s as it is, not as a link or an image', (name, shown) => {
    expect(describeLaunch('quote', { ...FACTS, name }).split('\n')[0]).toBe(
      `${shown} (\` HARBOR \`), standard launch \`quote\``,
    );
  });

  it('of a parked one say why, what is on the chain, and give each decision ready to be copied', () => {
    const row = (step: number, status: 'finalized' | 'landed' | 'broadcasting') => ({
      purpose: `launch/quote/${step}`,
      status,
      signature: `signature-${step}`,
    });
    const transactions = [row(1, 'finalized'), row(2, 'landed'), row(3, 'broadcasting')];
    const text = describeLaunch('quote', { ...FACTS, transactions, parking: 2 });
    expect(text).toContain('Blocked: **the rest did not land**');
    expect(text).toContain('On the chain: **payment, mint**. Missing: **pool, locks**.');
    for (const action of RESOLUTION_ACTIONS) {
      expect(text).toContain(`\`{"action": "${action}", "parking": 2, "note": "why"}\`: ${RESOLUTION_EFFECT[action]}`);
    }
    expect(text).toContain('npm run ops -- launches resolve quote resume --parking 2 --note');
    expect(text).toContain('- 3 pool, broadcasting: `signature-3`');
  });

  it('name the wallet that gets the Fee Key where it is not the creator', () => {
    expect(describeLaunch('quote', { ...FACTS, feeRecipient: 'friend' })).toContain('- Fee Key goes to: `friend`');
    expect(describeLaunch('quote', FACTS)).not.toContain('Fee Key');
  });

  it('of one that waits for a step say which, and where its tries are', () => {
    const facts = { ...FACTS, state: 'preparing', blockedReason: null } as const;
    expect(describeLaunch('quote', facts, 'storeMetadata')).toContain('Waits for **storeMetadata**');
    expect(describeLaunch('quote', facts)).not.toContain('Waits for');
  });

  it('of one that is not parked offer no decision', () => {
    expect(describeLaunch('quote', { ...FACTS, state: 'landing', blockedReason: null })).not.toContain('resolve');
  });
});
