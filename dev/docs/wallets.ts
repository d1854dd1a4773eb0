import { WALLETS } from '../../test/support/wallets/wallets.ts';

/** Changes of wallets to a transaction, as they were reported and as the tests sign. */
export const walletsText = (): string => WALLETS.map(({ name, reported }) => `- **${name}**: ${reported}`).join('\n');
