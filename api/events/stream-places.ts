import { AppError } from '../../domain/errors.ts';
import { ClientPlaces, type PlaceLimits } from '../client-places.ts';

/** Returns what takes a place for a client's stream. It throws an AppError `rate_limited` or `service_unavailable`. */
export function createStreamPlaces(limits: PlaceLimits): (client: string) => () => void {
  const places = new ClientPlaces(limits);
  return (client) => {
    const taken = places.take(client);
    if (taken === 'perClient') {
      const message = `${limits.perClient} streams are open from this address; close one first`;
      throw new AppError('rate_limited', message, { retryAfterSeconds: 10 });
    }
    if (taken === 'inAll') {
      const message = 'too many streams are open; read GET /events meanwhile';
      throw new AppError('service_unavailable', message, { retryAfterSeconds: 10 });
    }
    return taken;
  };
}
