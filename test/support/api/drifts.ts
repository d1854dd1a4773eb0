/** What answers of a test were found to have that their schemas do not say; `test/setup/no-drift.ts` fails the test for it. */
export const drifts: string[] = [];
