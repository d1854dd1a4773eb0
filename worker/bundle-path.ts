/** `!` ends a loader's name (webpack/webpack#18479), `?` begins a query. */
const READ_BY_WEBPACK = /[!?]/;

/** @throws with the path if webpack cannot bundle from it */
export function assertBundlable(path: string): void {
  const mark = READ_BY_WEBPACK.exec(path)?.[0];
  if (mark === undefined) return;
  throw new Error(
    `the path "${path}" has a "${mark}", so webpack cannot bundle the workflows; move the clone to a folder without one`,
  );
}
