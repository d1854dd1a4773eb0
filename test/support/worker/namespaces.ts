import { setTimeout as sleep } from 'node:timers/promises';
import { msToTs } from '@temporalio/common/lib/time.js';
import type { NativeConnection } from '@temporalio/worker';

const DAY_MS = 86_400_000;

/** Registers a namespace with one day of retention and waits until the server knows it everywhere. */
export async function registerNamespace(connection: NativeConnection, namespace: string): Promise<void> {
  await connection.workflowService.registerNamespace({ namespace, workflowExecutionRetentionPeriod: msToTs(DAY_MS) });
  for (let tries = 0; ; tries++) {
    try {
      await connection.operatorService.listSearchAttributes({ namespace });
      await connection.workflowService.listWorkflowExecutions({ namespace });
      return;
    } catch (error) {
      if (tries > 100) throw error;
      await sleep(100);
    }
  }
}
