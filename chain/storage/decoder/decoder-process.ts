/**
 * Decodes untrusted pictures, one at a time; started by `start-decoder.ts` without environment and with memory limits,
 * so it holds no secrets. Ends with its parent.
 */
import { getPriority, setPriority } from 'node:os';
import { AppError } from '../../../domain/errors.ts';
import type { DecoderAnswer, DecoderRequest } from './messages.ts';
import { normalise } from './normalise.ts';

const NICENESS = 5;

// A process may give way, and may not take that back.
setPriority(Math.max(NICENESS, getPriority()));
process.on('disconnect', () => process.exit());
// The parent decides when it ends, and may still need a response.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => undefined);
process.on('message', (request: DecoderRequest) => void answer(request));
tell({ kind: 'ready' });

/** Answers one request; rethrows an unexpected failure, because the state is then unknown. */
async function answer({ type, base64 }: DecoderRequest): Promise<void> {
  try {
    const { picture, width, height } = await normalise({ type, bytes: Buffer.from(base64, 'base64') });
    tell({ kind: 'decoded', base64: picture.bytes.toString('base64'), width, height });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    tell({ kind: 'refused', message: error.message });
  }
}

function tell(message: DecoderAnswer): void {
  process.send?.(message);
}
