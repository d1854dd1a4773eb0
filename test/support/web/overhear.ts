import type { BrowserContext } from 'playwright-core';

/** Writes down what the pages of a browser say beside what they show: what was refused, failed, or made a dialog appear. */
export function overhear(context: BrowserContext, said: string[]): void {
  context.on('console', (message) => said.push(message.text() + ' ' + message.location().url));
  context.on('weberror', (error) => said.push(`failed: ${error.error().message}`));
  context.on('dialog', (dialog) => {
    said.push(`a dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
}
