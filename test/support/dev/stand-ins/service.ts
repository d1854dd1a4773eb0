// Stands in for the API and the worker: ready at once, and tells which of the stack's variables it was given.
import { servePart } from './http-part.ts';

servePart(Number(process.env['WORKER_PORT'] ?? process.env['PORT']), (request, response) => {
  response.end(request.url === '/env' ? JSON.stringify(process.env) : 'ready');
});
