import { describe, expect, it } from 'vitest';
import type { LaunchFacts } from '../../activities/launch.ts';
import { describeLaunch } from '../../workflows/launch-text.ts';

const FACTS: LaunchFacts = {
  ...{ state: 'needs_recovery', name: 'Harbour Light', symbol: 'HARBOR', mode: 'standard' },
  ...{ creator: 'creator', mint: 'mint', launchWallet: 'wallet', paymentSignature: 'payment' },
  ...{ reason: null, blockedReason: 'the rest did not land', transactions: [] },
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
});
