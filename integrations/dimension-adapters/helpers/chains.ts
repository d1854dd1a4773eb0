/** The part of the aggregator's own file that the adapter uses; not submitted. */
export const CHAIN = { SOLANA: 'solana' } as const;
