import type { ClientReadableStream } from '@grpc/grpc-js';
import type { BundleResult } from 'jito-ts/dist/gen/block-engine/bundle.js';
import type { BundleHint } from './bundle-relay.ts';

const RECONNECT_MS = 1_000;

/** Null for an unknown kind. */
export function hintOf(result: BundleResult): BundleHint | null {
  const { bundleId } = result;
  if (result.rejected) return { bundleId, stage: 'rejected', detail: rejectionDetail(result.rejected) };
  if (result.dropped) return { bundleId, stage: 'dropped', detail: `reason ${result.dropped.reason}` };
  if (result.finalized) return { bundleId, stage: 'finalized', detail: '' };
  if (result.processed) return { bundleId, stage: 'processed', detail: '' };
  return result.accepted ? { bundleId, stage: 'accepted', detail: '' } : null;
}

function rejectionDetail(rejected: NonNullable<BundleResult['rejected']>): string {
  const { simulationFailure, stateAuctionBidRejected, winningBatchBidRejected, internalError, droppedBundle } =
    rejected;
  if (simulationFailure) return `simulation of ${simulationFailure.txSignature} failed: ${simulationFailure.msg ?? ''}`;
  const auction = stateAuctionBidRejected ?? winningBatchBidRejected;
  if (auction) return `bid of ${auction.simulatedBidLamports} lamports lost its auction: ${auction.msg ?? ''}`;
  return internalError?.msg ?? droppedBundle?.msg ?? 'no reason given';
}

/** Reopens a second after the end: only hints are lost. */
export function followHints(
  open: () => ClientReadableStream<BundleResult>,
  onHint: (hint: BundleHint) => void,
): () => void {
  let stream: ClientReadableStream<BundleResult> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  const reopen = (ended: ClientReadableStream<BundleResult>) => {
    if (!stopped && ended === stream) timer ??= setTimeout(connect, RECONNECT_MS).unref();
  };
  const connect = () => {
    timer = undefined;
    const opened = open();
    stream = opened;
    opened.on('data', (result: BundleResult) => {
      const hint = hintOf(result);
      if (hint && !stopped) onHint(hint);
    });
    // A failure emits `error`, the server's end `end`.
    opened.on('end', () => reopen(opened)).on('error', () => reopen(opened));
  };
  connect();
  return () => {
    stopped = true;
    clearTimeout(timer);
    stream?.cancel();
  };
}
