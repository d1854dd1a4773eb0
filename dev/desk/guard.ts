import { AppError } from '../../domain/errors.ts';
import type { ApiInstance } from '../../api/instance.ts';
import { refusalOf } from './refusal.ts';

export function guardDesk(app: ApiInstance): void {
  app.addHook('onRequest', async (request) => {
    const reason = refusalOf(request.raw, 'this machine');
    if (reason !== null) throw new AppError('forbidden', `the local desk is refused: ${reason}`);
  });
}
