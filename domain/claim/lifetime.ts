/** Time to submit an issued claim; published. */
export const CLAIM_LIFETIME_SECONDS = 90;
