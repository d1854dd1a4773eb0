import Fastify from 'fastify';
import { serveParent } from '../server-process.ts';

// One route, one small object.
const app = Fastify();
app.get('/', async () => ({ hello: 'world' }));
await app.listen({ host: '127.0.0.1', port: 0 });
serveParent(app.server.address());
