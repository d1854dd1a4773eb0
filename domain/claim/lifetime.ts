/** Published time in which an issued claim can be submitted, in seconds; then it expires. */
export const CLAIM_LIFETIME_SECONDS = 90;
