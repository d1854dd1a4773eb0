export { webhook } from './webhook.ts';
export { webhookTest } from './webhook-test.ts';
